// SPDX-License-Identifier: Apache-2.0

/// Dates by the month, each computed from the anchor so that a short month does not shift later ones (rule 19).
struct MonthCycle: Sendable {
  private let anchorDay: Int
  /// The anchor's month, in months since year 0.
  private let anchorMonth: Int
  private let every: Int
  /// The days of the month in ascending order.
  private let days: [Int]
  /// The weekdays as bits; bit 0 is Monday.
  private let weekdayBits: UInt8
  /// True if a month that lacks a day has no dose for it, instead of one on its last day.
  private let skipsShort: Bool

  init(
    every: Int, days: Set<Int>?, weekdays: Set<Weekday>?, anchorDate: CivilDate,
    skipsShort: Bool = false
  ) {
    self.skipsShort = skipsShort
    let anchor = anchorDate.parts
    anchorDay = anchorDate.daysSinceEpoch
    anchorMonth = anchor.year * 12 + anchor.month - 1
    self.every = every
    self.days = days.map { $0.sorted() } ?? [anchor.day]
    weekdayBits = weekdays.map { DayCycle.bits($0) } ?? 0x7F
  }

  /// Returns true if a day (since 1970-01-01) is in the pattern.
  func contains(_ day: Int) -> Bool {
    guard day >= anchorDay else { return false }
    let parts = CivilDate(daysSinceEpoch: day).parts
    guard (parts.year * 12 + parts.month - 1 - anchorMonth) % every == 0 else { return false }
    let length = CivilDate.daysInMonth(parts.month, year: parts.year)
    return days.contains { (skipsShort ? $0 : min($0, length)) == parts.day }
      && isListedWeekday(day)
  }

  /// Returns the first day of the pattern on or after a day; nil after the supported years.
  func next(onOrAfter day: Int) -> Int? {
    let day = max(day, anchorDay)
    guard day <= CivilDate.latestDay else { return nil }
    var month = Self.month(of: day)
    let behind = (month - anchorMonth) % every
    if behind != 0 { month += every - behind }
    while month < Self.endMonth {
      if let found = dates(in: month).first(where: { $0 >= day }) { return found }
      month += every
    }
    return nil
  }

  /// Returns the last day of the pattern on or before a day; nil before the anchor.
  func previous(onOrBefore day: Int) -> Int? {
    guard day >= anchorDay else { return nil }
    var month = Self.month(of: min(day, CivilDate.latestDay))
    month -= (month - anchorMonth) % every
    while month >= anchorMonth {
      if let found = dates(in: month).last(where: { $0 <= day }) {
        return found >= anchorDay ? found : nil
      }
      month -= every
    }
    return nil
  }

  /// The first month after the supported years.
  private static let endMonth = 120_000

  private static func month(of day: Int) -> Int {
    let parts = CivilDate(daysSinceEpoch: day).parts
    return parts.year * 12 + parts.month - 1
  }

  private func dates(in month: Int) -> [Int] {
    let (year, index) = (month / 12, month % 12)
    let length = CivilDate.daysInMonth(index + 1, year: year)
    let first = CivilDate.dayNumber(year: year, month: index + 1, day: 1)
    var dates: [Int] = []
    for day in days where !skipsShort || day <= length {
      let date = first + min(day, length) - 1
      if dates.last != date, isListedWeekday(date) { dates.append(date) }
    }
    return dates
  }

  private func isListedWeekday(_ day: Int) -> Bool {
    weekdayBits == 0x7F || weekdayBits & (1 << UInt8(flooredRemainder(day + 3, 7))) != 0
  }
}
