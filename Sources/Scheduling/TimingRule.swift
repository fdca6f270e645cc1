// SPDX-License-Identifier: Apache-2.0

/// The start of a pattern that states none of its own.
public struct TimingAnchor: Hashable, Sendable {
  /// The first instant.
  public var instant: Instant
  /// The local date that patterns count from.
  public var date: CivilDate

  /// Joins an instant with its local date.
  public init(instant: Instant, date: CivilDate) {
    self.instant = instant
    self.date = date
  }
}

/// One recurring part of a Timing or a rule, put into a zone.
public struct TimingRule: Hashable, Sendable {
  /// The recurring pattern.
  public var pattern: TimingPattern
  /// The start of the pattern.
  public var anchor: TimingAnchor
  /// When it ends; nil for never.
  public var end: ScheduleEnd?
  /// The total number of doses.
  public var count: Int?
  /// Local dates without a dose.
  public var excludedDates: Set<CivilDate>
  /// True if the times of day are those of rule 12 because none were written.
  public var hasDefaultTimes: Bool

  /// Makes a rule.
  public init(
    pattern: TimingPattern, anchor: TimingAnchor, end: ScheduleEnd? = nil, count: Int? = nil,
    excludedDates: Set<CivilDate> = [], hasDefaultTimes: Bool = false
  ) {
    self.pattern = pattern
    self.anchor = anchor
    self.end = end
    self.count = count
    self.excludedDates = excludedDates
    self.hasDefaultTimes = hasDefaultTimes
  }

  /// The schedule, with slots numbered in the order of the times.
  public var schedule: Schedule {
    let rule: ScheduleRule =
      switch pattern {
      case .calendar(let days, let times):
        .calendar(
          days: days, slots: times.enumerated().map { Slot(id: $0.offset, time: $0.element) })
      case .elapsed(let every, let times): .elapsed(everyMilliseconds: every, times: times)
      case .elapsedOn(let every, let times, let weekdays):
        .elapsedOn(everyMilliseconds: every, times: times, weekdays)
      case .instants(let instants): .instants(instants)
      }
    return Schedule(
      rule: rule, anchor: anchor.instant, anchorDate: anchor.date, end: end, count: count,
      excludedDates: excludedDates)
  }
}

extension Timing {
  /// Returns the start that the Timing itself states; nil if it leaves that open.
  public func statedStart(in zone: Zone, dateZone: Zone? = nil) -> TimingAnchor? {
    guard case .period(let start?, _)? = bounds else { return nil }
    let found = start.start(in: zone, dateZone: dateZone)
    return TimingAnchor(instant: found.instant, date: found.date)
  }

  /// When it ends, counted from where it begins; nil for never.
  public func end(from anchor: Instant, in zone: Zone) -> ScheduleEnd? {
    switch bounds {
    case .period(_, let end): end?.end(in: zone)
    case .duration(let duration): duration?.end(from: anchor, in: zone)
    case nil: nil
    }
  }

  /// The rules in a zone: one for the pattern, one for the events (rule 26), which bounds do not limit.
  ///
  /// - `anchor`: where it begins unless `boundsPeriod.start` says so (rule 1).
  /// - `dateZone`: the zone that makes a date of a start that is an instant, where it is another one.
  /// - Throws: `endsBeforeStart` for bounds that do; a pattern is known to have a meaning by now.
  public func rules(
    anchor: TimingAnchor, in zone: Zone, dateZone: Zone? = nil,
    choices: TimingChoices = TimingChoices()
  ) throws(TimingError) -> [TimingRule] {
    let stated = statedStart(in: zone, dateZone: dateZone)
    let begin = stated ?? anchor
    let end = end(from: begin.instant, in: zone)
    if stated != nil, let end, end.excludedInstant <= begin.instant {
      throw TimingError("repeat.boundsPeriod", .endsBeforeStart)
    }
    var rules: [TimingRule] = []
    if let parts {
      rules.append(
        TimingRule(
          pattern: Self.byClock(
            try parts.pattern(choices).pattern, begin.instant, in: zone, choices),
          anchor: begin, end: end, count: count,
          hasDefaultTimes: parts.times.isEmpty))
    } else if events.isEmpty {
      // Rule 25: one dose at the anchor.
      rules.append(
        TimingRule(pattern: .instants([begin.instant]), anchor: begin, end: end, count: count))
    }
    let instants = instants(in: zone, choices)
    if let first = instants.min() {
      rules.append(
        TimingRule(
          pattern: .instants(instants),
          anchor: TimingAnchor(instant: first, date: zone.date(at: first))))
    }
    return rules
  }

  /// Whole days counted in hours at the clock time of the anchor, where a clinic chose so (rule 7).
  private static func byClock(
    _ pattern: TimingPattern, _ anchor: Instant, in zone: Zone, _ choices: TimingChoices
  ) -> TimingPattern {
    guard choices.countsDaysByClock, case .elapsed(let every, 1) = pattern,
      every.isMultiple(of: 86_400_000)
    else { return pattern }
    // A dose before the anchor would be dropped: parts of a second count as a whole one.
    let first = anchor.adding(milliseconds: 999)
    return .calendar(.every(days: Int(every / 86_400_000)), [.clock(zone.local(at: first).time)])
  }

  /// Instants as given; a date at the one-a-day time, unless the zone skipped it (rule 11).
  private func instants(in zone: Zone, _ choices: TimingChoices) -> [Instant] {
    events.compactMap { event in
      guard case .day(let date) = event else { return event.start(in: zone).instant }
      return zone.instant(of: date, at: choices.times.once)?.instant
    }
  }
}
