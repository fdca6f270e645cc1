// SPDX-License-Identifier: Apache-2.0

/// The yearly rule of a zone after its last listed transition (the footer of a zone file).
public struct ZoneRule: Hashable, Sendable {
  /// Seconds east of UTC outside daylight saving time.
  public let standardOffsetSeconds: Int
  /// Daylight saving time; nil if the zone has none.
  public let daylight: DaylightSaving?

  /// Creates a rule; offsets are in seconds east of UTC.
  public init(standardOffsetSeconds: Int, daylight: DaylightSaving? = nil) {
    self.standardOffsetSeconds = heldOffset(standardOffsetSeconds)
    self.daylight = daylight
  }
}

/// Daylight saving time as it recurs each year.
public struct DaylightSaving: Hashable, Sendable {
  /// Seconds east of UTC during daylight saving time.
  public let offsetSeconds: Int
  /// The start, in standard time.
  public let begins: YearlyMoment
  /// The end, in daylight saving time.
  public let ends: YearlyMoment

  /// Creates daylight saving time with its two yearly changes.
  public init(offsetSeconds: Int, begins: YearlyMoment, ends: YearlyMoment) {
    self.offsetSeconds = heldOffset(offsetSeconds)
    self.begins = begins
    self.ends = ends
  }
}

/// A day of the year and a time relative to it, possibly before or after that day.
public struct YearlyMoment: Hashable, Sendable {
  /// The day.
  public let day: YearlyDay
  /// Seconds from that day's midnight: -167 h to 167 h.
  public let seconds: Int

  /// Creates a yearly moment; `seconds` is clamped to -167 h to 167 h.
  public init(day: YearlyDay, seconds: Int = 7200) {
    self.day = day
    self.seconds = min(max(seconds, -601_200), 601_200)
  }

  /// Returns the seconds since 1970 on the wall clock in force just before the change.
  func wallSeconds(year: Int) -> Int64 {
    Int64(day.dayNumber(year: year)) * 86_400 + Int64(seconds)
  }
}

/// A day of the year in one of the three forms of POSIX.
public enum YearlyDay: Hashable, Sendable {
  /// Week 1 to 4 of a month, counted from its first such weekday, or 5 for the last one.
  case monthWeekday(month: Int, week: Int, weekday: Weekday)
  /// Day 1 to 365, where 29 February is never counted.
  case dayWithoutLeapDay(Int)
  /// Day 0 to 365, where 29 February is counted.
  case zeroBasedDay(Int)

  /// Returns the days since 1970-01-01; parts outside their range are clamped.
  func dayNumber(year: Int) -> Int {
    switch self {
    case .monthWeekday(let month, let week, let weekday):
      let month = min(max(month, 1), 12)
      let first = CivilDate.dayNumber(year: year, month: month, day: 1)
      let firstWeekday = flooredRemainder(first + 3, 7) + 1
      var day = flooredRemainder(weekday.rawValue - firstWeekday, 7)
      day += (min(max(week, 1), 5) - 1) * 7
      if day >= CivilDate.daysInMonth(month, year: year) { day -= 7 }
      return first + day
    case .dayWithoutLeapDay(let day):
      let day = min(max(day, 1), 365)
      let leap = CivilDate.isLeapYear(year) && day >= 60 ? 1 : 0
      return CivilDate.dayNumber(year: year, month: 1, day: 1) + day - 1 + leap
    case .zeroBasedDay(let day):
      return CivilDate.dayNumber(year: year, month: 1, day: 1) + min(max(day, 0), 365)
    }
  }
}

/// The largest UTC offset that RFC 8536 allows, in seconds.
let largestOffsetSeconds = 93_600

func heldOffset(_ seconds: Int) -> Int {
  min(max(seconds, -largestOffsetSeconds), largestOffsetSeconds)
}

extension ZoneRule {
  /// Returns the span around an instant by this rule, ignoring the zone's transitions.
  func span(at utcSeconds: Int64) -> ZoneSpan {
    guard let daylight else { return ZoneSpan(offset: Int64(standardOffsetSeconds)) }
    let standard = Int64(standardOffsetSeconds)
    let summer = Int64(daylight.offsetSeconds)
    let localDay = Int(flooredQuotient(utcSeconds + standard, 86_400))
    let year = CivilDate(daysSinceEpoch: localDay).year
    var span = ZoneSpan(offset: standard)
    for candidate in (year - 1)...(year + 1) {
      // Starts come last: if one coincides with the previous end, the zone stays in summer time.
      span.narrow(
        around: utcSeconds, change: daylight.ends.wallSeconds(year: candidate) - summer,
        offset: standard)
      span.narrow(
        around: utcSeconds, change: daylight.begins.wallSeconds(year: candidate) - standard,
        offset: summer)
    }
    return span
  }
}

/// A period in which the zone's offset stays the same.
struct ZoneSpan {
  /// The first second, in UTC seconds.
  var start = Int64.min
  /// The second just after the end, in UTC seconds.
  var end = Int64.max
  /// Seconds east of UTC.
  var offset: Int64

  mutating func narrow(around utcSeconds: Int64, change: Int64, offset newOffset: Int64) {
    if change <= utcSeconds {
      guard change >= start else { return }
      start = change
      offset = newOffset
    } else {
      end = min(end, change)
    }
  }
}
