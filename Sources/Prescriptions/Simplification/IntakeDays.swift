// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// The recurring days on which a medicine is taken.
package struct IntakeDays: Sendable, Hashable {
  /// The length of the pattern in days, counted from 1970-01-01.
  private let period: Int
  private let days: Set<Int>
  private let first: Int?
  private let last: Int?

  private init(period: Int, days: Set<Int>, first: CivilDate?, last: CivilDate?) {
    self.period = period
    self.days = days
    self.first = first?.daysSinceEpoch
    self.last = last?.daysSinceEpoch
  }

  /// Every day, without an end.
  package static let daily = IntakeDays(period: 1, days: [0], first: nil, last: nil)

  /// Creates the days of certain weekdays between two dates.
  ///
  /// - Parameters:
  ///   - first: The first possible day; nil for no limit.
  ///   - last: The last possible day; nil for no limit.
  package init(weekdays: Set<Weekday>, first: CivilDate? = nil, last: CivilDate? = nil) {
    if weekdays.count == 7 {
      self.init(period: 1, days: [0], first: first, last: last)
      return
    }
    // 1970-01-01 was a Thursday.
    let days = Set(weekdays.map { ($0.rawValue - Weekday.thursday.rawValue + 7) % 7 })
    self.init(period: 7, days: days, first: first, last: last)
  }

  /// Creates every n-th day from a date on.
  ///
  /// - Parameters:
  ///   - count: The number of days from one to the next.
  ///   - last: The last possible day; nil for no limit.
  package init(every count: Int, from start: CivilDate, last: CivilDate? = nil) {
    let period = max(count, 1)
    self.init(
      period: period, days: [Self.remainder(start.daysSinceEpoch, period)], first: start,
      last: last)
  }

  /// Returns the numbers of days from one of these days after which another medicine can be taken, from
  /// `-most` to `most`.
  package func offsets(to other: IntakeDays, within most: Int) -> [Int] {
    let common = Self.divisor(period, other.period)
    var meets = Set<Int>()
    for one in days {
      for another in other.days { meets.insert(Self.remainder(another - one, common)) }
    }
    return (-most...most).filter { offset in
      if let end = other.last, let begin = first, begin + offset > end { return false }
      if let begin = other.first, let end = last, end + offset < begin { return false }
      return meets.contains(Self.remainder(offset, common))
    }
  }

  /// True if there are two days one after the other.
  var hasNeighbours: Bool { offsets(to: self, within: 1).contains(1) }

  private static func remainder(_ value: Int, _ divisor: Int) -> Int {
    let found = value % divisor
    return found < 0 ? found + divisor : found
  }

  private static func divisor(_ one: Int, _ other: Int) -> Int {
    var (large, small) = (one, other)
    while small != 0 { (large, small) = (small, large % small) }
    return max(large, 1)
  }
}
