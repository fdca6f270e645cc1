// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  static let travel = Set(
    """
    closed GET /travel
    closed POST /travel
    closed POST /travel/later
    closed POST /reminders/clock
    """.split(separator: "\n").map(String.init))
}
