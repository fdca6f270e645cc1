// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The questions after as-needed doses.
  static let followUps = Set(
    """
    closed GET /api/v1/follow-ups
    closed POST /api/v1/follow-ups/:administration/answers
    closed POST /follow-ups/:administration
    closed GET /medicines/:plan/follow-up
    closed POST /medicines/:plan/follow-up
    """.split(separator: "\n").map(String.init))
}
