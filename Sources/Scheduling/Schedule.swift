// SPDX-License-Identifier: Apache-2.0

/// The times of a plan's doses: a rule, the instant that anchors its pattern, and its end.
public struct Schedule: Hashable, Sendable {
  /// The recurring pattern.
  public var rule: ScheduleRule
  /// The start of the pattern; no dose is due before it (rule 1).
  public var anchor: Instant
  /// The local date of the anchor in the plan's zone: day 0 of a calendar pattern.
  public var anchorDate: CivilDate
  /// The end; nil if there is none.
  public var end: ScheduleEnd?
  /// The total number of doses, counted from the anchor (rule 24); nil for no limit.
  public var count: Int?
  /// Local dates without a dose.
  public var excludedDates: Set<CivilDate>

  /// Creates a schedule; check `problem` to find out if it is valid.
  public init(
    rule: ScheduleRule, anchor: Instant, anchorDate: CivilDate, end: ScheduleEnd? = nil,
    count: Int? = nil, excludedDates: Set<CivilDate> = []
  ) {
    self.rule = rule
    self.anchor = anchor
    self.anchorDate = anchorDate
    self.end = end
    self.count = count
    self.excludedDates = excludedDates
  }

  /// Creates a schedule that begins at an instant in a zone.
  public init(rule: ScheduleRule, anchor: Instant, in zone: Zone, end: ScheduleEnd? = nil) {
    self.init(rule: rule, anchor: anchor, anchorDate: zone.date(at: anchor), end: end)
  }

  /// Creates a schedule that begins at midnight of a local date (rule 2).
  public init(rule: ScheduleRule, from date: CivilDate, in zone: Zone, end: ScheduleEnd? = nil) {
    self.init(rule: rule, anchor: zone.startOfDay(date), anchorDate: date, end: end)
  }
}

/// A rule by which a schedule recurs.
public enum ScheduleRule: Hashable, Sendable {
  /// Wall-clock times on the dates of a pattern.
  case calendar(days: DayPattern, slots: [Slot])
  /// Elapsed time: `times` doses in every `everyMilliseconds`, evenly spaced from the anchor (rule 7).
  case elapsed(everyMilliseconds: Int64, times: Int = 1)
  /// Elapsed time, if the local date is also one of these weekdays.
  case elapsedOn(everyMilliseconds: Int64, times: Int = 1, Set<Weekday>)
  /// Given instants (rule 26); those outside the bounds are left out.
  case instants([Instant])
}

/// The end of a schedule.
public enum ScheduleEnd: Hashable, Sendable {
  /// Up to and including this instant (rule 3).
  case through(Instant)
  /// Up to, but not including, this instant (rule 4).
  case before(Instant)

  /// Returns the end of a local date, or of the month or year whose last day is given (rule 3).
  public static func through(_ lastDay: CivilDate, in zone: Zone) -> ScheduleEnd {
    .before(zone.startOfDay(lastDay.adding(days: 1)))
  }

  /// The first instant after the schedule.
  public var excludedInstant: Instant {
    switch self {
    case .through(let instant): instant.adding(milliseconds: 1)
    case .before(let instant): instant
    }
  }
}

/// A reason why a schedule cannot be followed.
public enum ScheduleProblem: Error, Hashable, Sendable {
  /// The anchor is outside the years 1 to 9999.
  case startOutOfRange
  /// The end is before the anchor.
  case endBeforeStart
  /// A period, or the number of doses in it, is zero, negative or too large.
  case periodOutOfRange
  /// The total number of doses is zero or negative.
  case countOutOfRange
  /// There are more doses than days and no clock times (rule 15).
  case moreDosesThanDays
  /// A calendar rule has no times of day.
  case noTimes
  /// A pattern has an empty set of weekdays.
  case noWeekdays
  /// A list of instants is empty.
  case noInstants
  /// Two slots have the same id, so their doses would be indistinguishable.
  case duplicateSlot(Int)
  /// An offset is negative or is given for a meal itself (FHIR tim-9).
  case offsetNotAllowed(slot: Int)
  /// The schedule is well-formed, but no dose is ever due.
  case neverFires
}

extension Schedule {
  /// The first problem with the values of the schedule, found without expanding it.
  public var problem: ScheduleProblem? {
    guard anchor >= .earliest, anchor <= .latest else { return .startOutOfRange }
    if let end {
      switch end {
      case .through(let instant), .before(let instant):
        if instant < anchor { return .endBeforeStart }
      }
    }
    if let count, count < 1 { return .countOutOfRange }
    switch rule {
    case .calendar(let days, let slots):
      return days.problem ?? Self.problem(in: slots)
    case .elapsedOn(_, _, let weekdays) where weekdays.isEmpty:
      return .noWeekdays
    case .elapsed(let every, let times), .elapsedOn(let every, let times, _):
      // At most 10,000 doses in a period, at least a millisecond apart, so no product overflows.
      let isInRange = (1...Self.longestPeriod).contains(every) && (1...10_000).contains(times)
      return isInRange && every >= Int64(times) ? nil : .periodOutOfRange
    case .instants(let instants):
      return instants.isEmpty ? .noInstants : nil
    }
  }

  /// The longest period in milliseconds, equal to the longest one in days.
  static let longestPeriod = Int64(DayPattern.longestDays) * 86_400_000

  private static func problem(in slots: [Slot]) -> ScheduleProblem? {
    if slots.isEmpty { return .noTimes }
    let ids = slots.map { $0.id }.sorted()
    for (id, next) in zip(ids, ids.dropFirst()) where id == next { return .duplicateSlot(id) }
    for slot in slots {
      guard case .event(let event, let offset?) = slot.time else { continue }
      if offset < 0 || !event.allowsOffset { return .offsetNotAllowed(slot: slot.id) }
    }
    return nil
  }
}
