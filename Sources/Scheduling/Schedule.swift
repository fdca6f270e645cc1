// SPDX-License-Identifier: Apache-2.0

/// When a plan's doses fall: a rule, the moment that fixes its pattern, and its end.
public struct Schedule: Hashable, Sendable {
  /// The recurring pattern.
  public var rule: ScheduleRule
  /// The start of the pattern; nothing falls before it (rule 1).
  public var anchor: Instant
  /// The local date of the anchor in the plan's zone: day 0 of a calendar pattern.
  public var anchorDate: CivilDate
  /// When it ends; nil for never.
  public var end: ScheduleEnd?
  /// The total number of doses, counted from the anchor (rule 24); nil for any number.
  public var count: Int?
  /// Local dates without a dose.
  public var excludedDates: Set<CivilDate>

  /// Makes a schedule; `Schedule.problem` says what is wrong with it, if anything.
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

  /// Makes a schedule that begins at an instant in a zone.
  public init(rule: ScheduleRule, anchor: Instant, in zone: Zone, end: ScheduleEnd? = nil) {
    self.init(rule: rule, anchor: anchor, anchorDate: zone.date(at: anchor), end: end)
  }

  /// Makes a schedule that begins with a local date, at its midnight (rule 2).
  public init(rule: ScheduleRule, from date: CivilDate, in zone: Zone, end: ScheduleEnd? = nil) {
    self.init(rule: rule, anchor: zone.startOfDay(date), anchorDate: date, end: end)
  }
}

/// The rule by which a schedule recurs.
public enum ScheduleRule: Hashable, Sendable {
  /// Wall-clock times on the dates of a pattern.
  case calendar(days: DayPattern, slots: [Slot])
  /// Elapsed time: `times` doses in every so many milliseconds, evenly, from the anchor on (rule 7).
  case elapsed(everyMilliseconds: Int64, times: Int = 1)
  /// The same, where the local date is also one of these weekdays.
  case elapsedOn(everyMilliseconds: Int64, times: Int = 1, Set<Weekday>)
  /// Instants as given (rule 26), of which bounds may leave some out.
  case instants([Instant])
}

/// The last moment of a schedule.
public enum ScheduleEnd: Hashable, Sendable {
  /// Up to and including this instant (rule 3).
  case through(Instant)
  /// Up to, not including, this instant (rule 4).
  case before(Instant)

  /// The end of a local date, month or year whose last day is given (rule 3).
  public static func through(_ lastDay: CivilDate, in zone: Zone) -> ScheduleEnd {
    .before(zone.startOfDay(lastDay.adding(days: 1)))
  }

  /// The first instant that no longer belongs to the schedule.
  public var excludedInstant: Instant {
    switch self {
    case .through(let instant): instant.adding(milliseconds: 1)
    case .before(let instant): instant
    }
  }
}

/// Why a schedule cannot be followed.
public enum ScheduleProblem: Error, Hashable, Sendable {
  /// The anchor lies outside the years 1 to 9999.
  case startOutOfRange
  /// The end lies before the anchor.
  case endBeforeStart
  /// A period or a number of doses in it is zero, negative or beyond every calendar.
  case periodOutOfRange
  /// The number of doses in all is zero or negative.
  case countOutOfRange
  /// More doses than days, without clock times to put them at (rule 15).
  case moreDosesThanDays
  /// A calendar rule without times of day.
  case noTimes
  /// A pattern with an empty set of weekdays.
  case noWeekdays
  /// A list of instants without any.
  case noInstants
  /// Two slots have the same id, so that their doses could not be told apart.
  case duplicateSlot(Int)
  /// An offset is negative, or stands with a meal itself (FHIR tim-9).
  case offsetNotAllowed(slot: Int)
  /// All is well-formed, and yet no dose can ever fall.
  case neverFires
}

extension Schedule {
  /// The first thing wrong with how the schedule is written, without a look at any calendar.
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
      // Up to 10,000 in a period, each at least a millisecond from the next: no product overflows.
      let isInRange = (1...Self.longestPeriod).contains(every) && (1...10_000).contains(times)
      return isInRange && every >= Int64(times) ? nil : .periodOutOfRange
    case .instants(let instants):
      return instants.isEmpty ? .noInstants : nil
    }
  }

  /// The longest period in milliseconds, as for one in days.
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
