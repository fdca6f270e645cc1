// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The questions after as-needed doses, and the sites of injections and patches.
  static let followUps = Set(
    """
    closed GET /api/v1/follow-ups
    closed POST /api/v1/follow-ups/:administration/answers
    closed GET /api/v1/sites
    closed PUT /api/v1/sites/:administration
    closed POST /api/v1/sites/:administration/removal
    closed POST /follow-ups/:administration
    closed GET /medicines/:plan/follow-up
    closed POST /medicines/:plan/follow-up
    closed GET /medicines/:plan/sites
    closed POST /medicines/:plan/sites
    closed GET /sites/:administration
    closed POST /sites/:administration
    closed POST /sites/:administration/removed
    """.split(separator: "\n").map(String.init))
}
