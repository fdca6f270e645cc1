// SPDX-License-Identifier: Apache-2.0

/// Expands a schedule into dose instants, in one zone and for one person's day.
///
/// The cost depends only on the days of the window, not on the age of the plan.
public struct ScheduleExpander: Sendable {
  /// The schedule.
  public let schedule: Schedule
  /// The zone whose wall clock the calendar rules follow.
  public let zone: Zone
  /// The times of the person's daily events.
  public let rhythm: DailyRhythm

  private let engine: Engine
  /// The range from the anchor to the first instant after the end, within the supported years.
  private let bounds: Range<Int64>

  private enum Engine {
    case calendar(CalendarExpansion)
    case elapsed(ElapsedExpansion)
    case elapsedOn(WeekdayElapsedExpansion)
    case instants([Int64])
    /// For schedules with a problem, which have no doses at all.
    case nothing
  }

  /// Prepares a schedule; one with a `problem` has no doses.
  public init(
    schedule: Schedule, zone: Zone, rhythm: DailyRhythm = DailyRhythm(),
    choices: TimingChoices = TimingChoices()
  ) {
    self.schedule = schedule
    self.zone = zone
    self.rhythm = rhythm
    let lower = max(schedule.anchor, .earliest).milliseconds
    let end = min(schedule.end?.excludedInstant ?? .latest, .latest).milliseconds
    let range = lower..<max(lower, end)
    guard schedule.problem == nil else {
      bounds = range
      engine = .nothing
      return
    }
    let anchor = schedule.anchor.milliseconds
    var counted: Int64?
    switch schedule.rule {
    case .calendar(let days, let slots):
      let expansion = CalendarExpansion(
        days: days, slots: slots, anchorDate: schedule.anchorDate,
        excluding: schedule.excludedDates, zone: zone, rhythm: rhythm, choices: choices)
      if let count = schedule.count { counted = expansion?.end(ofCount: count, in: range) }
      engine = expansion.map { .calendar($0) } ?? .nothing
    case .elapsed(let every, let times):
      let expansion = ElapsedExpansion(anchor: anchor, period: every, times: Int64(times))
      if let count = schedule.count { counted = expansion.end(ofCount: count) }
      engine = .elapsed(expansion)
    case .elapsedOn(let every, let times, let weekdays):
      let expansion = WeekdayElapsedExpansion(
        elapsed: ElapsedExpansion(anchor: anchor, period: every, times: Int64(times)),
        weekdays: weekdays, zone: zone)
      if let count = schedule.count { counted = expansion.end(ofCount: count, before: end) }
      engine = .elapsedOn(expansion)
    case .instants(let instants):
      var ascending: [Int64] = []
      ascending.reserveCapacity(instants.count)
      for milliseconds in instants.map({ $0.milliseconds }).sorted()
      where ascending.last != milliseconds { ascending.append(milliseconds) }
      engine = .instants(ascending)
      if let count = schedule.count {
        let first = Self.partition(ascending, from: lower)
        // `first + count` could overflow for a malicious count.
        if count <= ascending.count - first { counted = ascending[first + count - 1] + 1 }
      }
    }
    bounds = lower..<max(lower, min(range.upperBound, counted ?? .max))
  }

  /// Returns the doses from an instant up to, but not including, another, in ascending order with one for each instant
  /// (rules 10 and 29).
  ///
  /// A window that ends before it starts has no doses. At most `limit` doses are returned, so that a rule with a dose
  /// every second cannot exhaust memory.
  public func occurrences(from: Instant, until: Instant, limit: Int = .max) -> [Occurrence] {
    let lower = max(from.milliseconds, bounds.lowerBound)
    let upper = min(until.milliseconds, bounds.upperBound)
    guard lower < upper, limit > 0 else { return [] }
    switch engine {
    case .calendar(let expansion): return expansion.occurrences(in: lower..<upper, limit: limit)
    case .elapsed(let expansion): return expansion.occurrences(in: lower..<upper, limit: limit)
    case .elapsedOn(let expansion): return expansion.occurrences(in: lower..<upper, limit: limit)
    case .instants(let instants):
      let first = Self.partition(instants, from: lower)
      return instants[first...].prefix(limit).prefix { $0 < upper }.map(Self.given)
    case .nothing: return []
    }
  }

  /// Returns the number of doses from one instant up to, but not including, another if it can be computed without
  /// expanding them; otherwise nil.
  public func knownCount(from: Instant, until: Instant) -> Int64? {
    guard case .elapsed(let expansion) = engine else { return nil }
    let lower = max(from.milliseconds, bounds.lowerBound)
    let upper = min(until.milliseconds, bounds.upperBound)
    return lower < upper ? expansion.count(in: lower..<upper) : 0
  }

  /// Returns the first dose after an instant; nil if there is none.
  public func first(after instant: Instant) -> Occurrence? {
    let lower = max(instant.adding(milliseconds: 1).milliseconds, bounds.lowerBound)
    guard instant.milliseconds < Int64.max, lower < bounds.upperBound else { return nil }
    let range = lower..<bounds.upperBound
    switch engine {
    case .calendar(let expansion): return expansion.first(in: range)
    case .elapsed(let expansion): return expansion.first(in: range)
    case .elapsedOn(let expansion): return expansion.first(in: range)
    case .instants(let instants):
      let first = Self.partition(instants, from: lower)
      guard first < instants.count, instants[first] < range.upperBound else { return nil }
      return Self.given(instants[first])
    case .nothing: return nil
    }
  }

  /// Returns the last dose before an instant; nil if there is none.
  public func last(before instant: Instant) -> Occurrence? {
    let upper = min(instant.milliseconds, bounds.upperBound)
    guard bounds.lowerBound < upper else { return nil }
    let range = bounds.lowerBound..<upper
    switch engine {
    case .calendar(let expansion): return expansion.last(in: range)
    case .elapsed(let expansion): return expansion.last(in: range)
    case .elapsedOn(let expansion): return expansion.last(in: range)
    case .instants(let instants):
      let end = Self.partition(instants, from: upper)
      guard end > 0, instants[end - 1] >= range.lowerBound else { return nil }
      return Self.given(instants[end - 1])
    case .nothing: return nil
    }
  }

  /// The first instant after the end or after the last counted dose; nil if neither is limited.
  public var excludedInstant: Instant? {
    bounds.upperBound < Instant.latest.milliseconds
      ? Instant(milliseconds: bounds.upperBound) : nil
  }

  /// The reason why this schedule has no doses; nil if it has some.
  public var problem: ScheduleProblem? {
    if let problem = schedule.problem { return problem }
    return first(after: schedule.anchor.adding(milliseconds: -1)) == nil ? .neverFires : nil
  }

  /// True if the schedule has at least one dose.
  public var canFire: Bool { problem == nil }

  /// The shortest time between two doses of the written pattern in milliseconds, ignoring clock changes.
  ///
  /// It is nil for given instants, which have no pattern, and for a schedule with a problem.
  public var shortestRegularIntervalMilliseconds: Int64? {
    switch engine {
    case .calendar(let expansion): expansion.shortestWallInterval.map { $0 * 1000 }
    case .elapsed(let expansion): expansion.period / expansion.times
    case .elapsedOn(let expansion): expansion.elapsed.period / expansion.elapsed.times
    case .instants, .nothing: nil
    }
  }

  /// The time after a dose within which another one must be confirmed: half the shortest regular interval.
  public var minimumGapMilliseconds: Int64? {
    shortestRegularIntervalMilliseconds.map { $0 / 2 }
  }

  private static func given(_ milliseconds: Int64) -> Occurrence {
    let instant = Instant(milliseconds: milliseconds)
    return Occurrence(id: .instant(instant), instant: instant)
  }

  /// Returns the index of the first element at or after a value.
  private static func partition(_ ascending: [Int64], from value: Int64) -> Int {
    var low = 0
    var high = ascending.count
    while low < high {
      let middle = (low + high) / 2
      if ascending[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
