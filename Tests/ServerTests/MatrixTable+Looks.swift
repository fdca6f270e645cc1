// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// What medicines look like.
  static let ofLooks = Set(
    """
    closed GET /api/v1/looks
    closed GET /looks/:patient/:photo
    closed GET /medicines/:plan/look
    closed POST /medicines/:plan/look
    closed POST /medicines/:plan/look/photos/:place
    closed POST /medicines/:plan/look/photos/:place/remove
    """.split(separator: "\n").map(String.init))
}
