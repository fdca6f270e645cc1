// SPDX-License-Identifier: Apache-2.0

/// The dates on which a calendar rule has doses, counted from the anchor's date.
public enum DayPattern: Hashable, Sendable {
  /// Every `days` days (rule 15).
  case every(days: Int)
  /// Every `days` days, if the date is also one of these weekdays (rule 16).
  case everyDaysOn(days: Int, Set<Weekday>)
  /// These weekdays in every `everyWeeks`-th week; weeks begin on Monday and week 0 contains the anchor (rule 17).
  case weekdays(Set<Weekday>, everyWeeks: Int)
  /// `times` dates in every `overDays` days, spread as evenly as whole days allow (rules 15 and 18).
  case spread(times: Int, overDays: Int)
  /// Spread dates that must also be one of these weekdays (rule 16).
  case spreadOn(times: Int, overDays: Int, Set<Weekday>)
  /// Every `every` months, on the anchor's day of the month or on the given days (rule 19).
  ///
  /// A month that lacks one of the days uses its last day instead. A year is twelve months. If weekdays are given, the
  /// date must also be one of them.
  case months(every: Int, days: Set<Int>? = nil, on: Set<Weekday>? = nil)
  /// These days, counted from 1, of a cycle of `length` days that begins at the anchor.
  case daysOfCycle(Set<Int>, length: Int)
  /// `on` days with doses, then `off` days without, beginning at the anchor.
  case runs(on: Int, off: Int)

  /// Every date.
  public static let daily = DayPattern.every(days: 1)

  /// Creates a pattern from FHIR's `period` in days; pass `frequency` only if no clock times are given (rules 13, 15,
  /// 16).
  ///
  /// For a period of one day, the frequency determines the times of day instead (rule 12).
  public static func days(
    period: Int, frequency: Int = 1, on weekdays: Set<Weekday>? = nil
  ) throws(ScheduleProblem) -> DayPattern {
    if period > 1, frequency > period { throw .moreDosesThanDays }
    let times = period == 1 ? 1 : frequency
    let pattern: DayPattern
    if let weekdays {
      pattern =
        times == 1
        ? .everyDaysOn(days: period, weekdays)
        : .spreadOn(times: times, overDays: period, weekdays)
    } else {
      pattern = times == 1 ? .every(days: period) : .spread(times: times, overDays: period)
    }
    if let problem = pattern.problem { throw problem }
    return pattern
  }

  /// Creates a pattern from FHIR's `period` in weeks without `dayOfWeek`; pass `frequency` only if no clock times are
  /// given (rule 18).
  public static func weeks(
    period: Int, frequency: Int = 1
  ) throws(ScheduleProblem) -> DayPattern {
    let (length, overflow) = period.multipliedReportingOverflow(by: 7)
    if overflow { throw .periodOutOfRange }
    let pattern: DayPattern =
      frequency == 1 ? .every(days: length) : .spread(times: frequency, overDays: length)
    if let problem = pattern.problem { throw problem }
    return pattern
  }

  /// Returns true if the date is in this pattern when it begins at the anchor's date.
  public func contains(_ date: CivilDate, anchorDate: CivilDate) -> Bool {
    PatternDates(self, anchorDate: anchorDate)?.contains(date.daysSinceEpoch) ?? false
  }

  var problem: ScheduleProblem? {
    switch self {
    case .every(let days):
      return Self.isInRange(days) ? nil : .periodOutOfRange
    case .everyDaysOn(let days, let weekdays):
      if !Self.isInRange(days) { return .periodOutOfRange }
      return weekdays.isEmpty ? .noWeekdays : nil
    case .weekdays(let weekdays, let weeks):
      if weekdays.isEmpty { return .noWeekdays }
      return Self.isInRange(weeks) ? nil : .periodOutOfRange
    case .spread(let times, let days):
      return Self.isInRange(days) && times >= 1 ? nil : .periodOutOfRange
    case .spreadOn(let times, let days, let weekdays):
      if weekdays.isEmpty { return .noWeekdays }
      return Self.isInRange(days) && times >= 1 ? nil : .periodOutOfRange
    case .months(let every, let days, let weekdays):
      if weekdays?.isEmpty == true { return .noWeekdays }
      let areDays = days.map { !$0.isEmpty && $0.allSatisfy((1...31).contains) } ?? true
      return (1...Self.longestMonths).contains(every) && areDays ? nil : .periodOutOfRange
    case .daysOfCycle(let days, let length):
      let areDays = !days.isEmpty && days.allSatisfy { $0 >= 1 && $0 <= length }
      return Self.isInRange(length) && areDays ? nil : .periodOutOfRange
    case .runs(let on, let off):
      let isRun = Self.isInRange(on) && (0...Self.longestDays).contains(off)
      return isRun ? nil : .periodOutOfRange
    }
  }

  /// The longest period in months.
  static let longestMonths = 120_000

  /// The longest period in days: ten thousand years, longer than the supported calendar.
  static let longestDays = 3_652_425
  private static func isInRange(_ count: Int) -> Bool { (1...longestDays).contains(count) }
}
