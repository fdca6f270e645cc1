// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The appearance of medicines.
  static let ofAppearance = Set(
    """
    closed GET /api/v1/looks
    closed GET /appearance/:patient/:photo
    closed GET /medicines/:plan/appearance
    closed POST /medicines/:plan/appearance
    closed POST /medicines/:plan/appearance/photos/:place
    closed POST /medicines/:plan/appearance/photos/:place/remove
    """.split(separator: "\n").map(String.init))
}
