// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The proposal of fewer times a day.
  static let intakeTimes = Set(
    """
    closed GET /medicines/times
    closed POST /medicines/times
    closed GET /care/:patient/times
    closed GET /api/v1/intake-times
    closed POST /care/:patient/times
    """.split(separator: "\n").map(String.init))
}
