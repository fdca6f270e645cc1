// SPDX-License-Identifier: Apache-2.0

/// A date in the Gregorian calendar without a time zone, from 0001-01-01 to 9999-12-31.
public struct CivilDate: Hashable, Comparable, Sendable {
  private let number: Int32

  /// The first supported date, 0001-01-01.
  public static let earliest = CivilDate(daysSinceEpoch: earliestDay)
  /// The last supported date, 9999-12-31.
  public static let latest = CivilDate(daysSinceEpoch: latestDay)

  static let earliestDay = -719_162
  static let latestDay = 2_932_896

  /// Creates the date the given number of days after 1970-01-01, clamped to the supported years.
  public init(daysSinceEpoch: Int) {
    number = Int32(min(max(daysSinceEpoch, Self.earliestDay), Self.latestDay))
  }

  /// Creates a date from its parts; nil if the calendar has no such date.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= Self.daysInMonth(month, year: year)
    else { return nil }
    self.init(daysSinceEpoch: Self.dayNumber(year: year, month: month, day: day))
  }

  /// Days since 1970-01-01; negative before.
  public var daysSinceEpoch: Int { Int(number) }
  /// The year, 1 to 9999.
  public var year: Int { parts.year }
  /// The month, 1 to 12.
  public var month: Int { parts.month }
  /// The day of the month, 1 to 31.
  public var day: Int { parts.day }

  /// The year, month and day of the month, computed together.
  public var parts: (year: Int, month: Int, day: Int) {
    // Years start on 1 March here, so that the leap day is the last day of its year.
    let shifted = Int(number) + 719_468
    let era = flooredQuotient(shifted, 146_097)
    let dayOfEra = flooredRemainder(shifted, 146_097)
    let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  /// The day of the week.
  public var weekday: Weekday {
    Weekday(rawValue: flooredRemainder(Int(number) + 3, 7) + 1) ?? .monday
  }

  /// Returns the date the given number of days later (earlier if negative), clamped to the supported years.
  public func adding(days: Int) -> CivilDate {
    let (sum, overflow) = Int(number).addingReportingOverflow(days)
    if overflow { return days < 0 ? .earliest : .latest }
    return CivilDate(daysSinceEpoch: sum)
  }

  /// Returns the same day of the month the given number of months later, or the last day of a shorter month.
  public func adding(months: Int) -> CivilDate {
    let (year, month, day) = parts
    let (total, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
    if overflow || total < 12 || total >= 120_000 { return months < 0 ? .earliest : .latest }
    let newYear = total / 12
    let newMonth = total % 12 + 1
    let newDay = min(day, Self.daysInMonth(newMonth, year: newYear))
    return CivilDate(
      daysSinceEpoch: Self.dayNumber(year: newYear, month: newMonth, day: newDay))
  }

  /// Orders dates chronologically.
  public static func < (left: CivilDate, right: CivilDate) -> Bool { left.number < right.number }

  /// Returns the number of days in a month; `month` is 1 to 12.
  static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeapYear(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func isLeapYear(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Returns the days from 1970-01-01 to a date; also works for years just outside the supported ones.
  static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let marchMonth = month <= 2 ? month + 9 : month - 3
    let era = flooredQuotient(marchYear, 400)
    let yearOfEra = flooredRemainder(marchYear, 400)
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension CivilDate {
  /// The date in the form "2026-03-01".
  public var text: String {
    let (year, month, day) = parts
    return zeroPadded(year, width: 4) + "-" + zeroPadded(month, width: 2) + "-"
      + zeroPadded(day, width: 2)
  }

  /// Parses a date in the form "2026-03-01"; nil for anything else.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D,
      let year = digitsValue(bytes, 0..<4), let month = digitsValue(bytes, 5..<7),
      let day = digitsValue(bytes, 8..<10)
    else { return nil }
    self.init(year: Int(year), month: Int(month), day: Int(day))
  }

  /// The date in the form "20260301", used in dose identifiers.
  var compactText: String {
    let (year, month, day) = parts
    return zeroPadded(year, width: 4) + zeroPadded(month, width: 2) + zeroPadded(day, width: 2)
  }
}
