// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The proposal of fewer times a day.
  static let simplification = Set(
    """
    closed GET /medicines/simplify
    closed POST /medicines/simplify
    closed GET /care/:patient/simplify
    closed GET /api/v1/intake-times
    closed POST /care/:patient/simplify
    """.split(separator: "\n").map(String.init))
}
