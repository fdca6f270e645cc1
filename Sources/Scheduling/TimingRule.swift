// SPDX-License-Identifier: Apache-2.0

/// The default start of a pattern that does not state its own.
public struct TimingAnchor: Hashable, Sendable {
  /// The first instant.
  public var instant: Instant
  /// The local date that patterns count from.
  public var date: CivilDate

  /// Creates an anchor.
  public init(instant: Instant, date: CivilDate) {
    self.instant = instant
    self.date = date
  }
}

/// A recurring part of a Timing or a rule, placed in a zone.
public struct TimingRule: Hashable, Sendable {
  /// The recurring pattern.
  public var pattern: TimingPattern
  /// The start of the pattern.
  public var anchor: TimingAnchor
  /// The end; nil if there is none.
  public var end: ScheduleEnd?
  /// The total number of doses; nil for no limit.
  public var count: Int?
  /// Local dates without a dose.
  public var excludedDates: Set<CivilDate>
  /// True if no times of day were written, so the defaults of rule 12 are used.
  public var hasDefaultTimes: Bool

  /// Creates a rule.
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
  /// Returns the start that the Timing states; nil if it states none.
  public func statedStart(in zone: Zone, dateZone: Zone? = nil) -> TimingAnchor? {
    guard case .period(let start?, _)? = bounds else { return nil }
    let found = start.start(in: zone, dateZone: dateZone)
    return TimingAnchor(instant: found.instant, date: found.date)
  }

  /// Returns the end for a given start; nil if there is none.
  public func end(from anchor: Instant, in zone: Zone) -> ScheduleEnd? {
    switch bounds {
    case .period(_, let end): end?.end(in: zone)
    case .duration(let duration): duration?.end(from: anchor, in: zone)
    case nil: nil
    }
  }

  /// Returns the rules in a zone: one for the pattern, and one for the events (rule 26), which bounds do not limit.
  ///
  /// - Parameters:
  ///   - anchor: the start, unless `boundsPeriod.start` gives one (rule 1).
  ///   - dateZone: the zone that converts a start instant to a date, if it differs from `zone`.
  /// - Throws: `endsBeforeStart` if the bounds end before they start; the pattern itself is already validated.
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

  /// Converts whole days counted in hours to days at the anchor's clock time, if the clinic chose so (rule 7).
  private static func byClock(
    _ pattern: TimingPattern, _ anchor: Instant, in zone: Zone, _ choices: TimingChoices
  ) -> TimingPattern {
    guard choices.countsDaysByClock, case .elapsed(let every, 1) = pattern,
      every.isMultiple(of: 86_400_000)
    else { return pattern }
    // A dose before the anchor would be dropped, so round up to a whole second.
    let first = anchor.adding(milliseconds: 999)
    return .calendar(.every(days: Int(every / 86_400_000)), [.clock(zone.local(at: first).time)])
  }

  /// Returns the given instants; a date gets the once-a-day time unless the zone skipped it (rule 11).
  private func instants(in zone: Zone, _ choices: TimingChoices) -> [Instant] {
    events.compactMap { event in
      guard case .day(let date) = event else { return event.start(in: zone).instant }
      return zone.instant(of: date, at: choices.times.once)?.instant
    }
  }
}
