// SPDX-License-Identifier: Apache-2.0

/// A question for dose instants: a Timing or a rule, a zone, and a window.
public struct ScheduleQuestion: Sendable {
  /// The most instants that one answer holds.
  public static let mostInstants = 1_000_000

  /// A rule with the dose of its step, where it has one.
  public typealias Rule = (rule: TimingRule, dose: TimingNode?)

  /// The zone.
  public let zone: Zone
  /// When the person's meals and sleep are.
  public let rhythm: DailyRhythm
  /// The window: from its first instant on, up to, not including, its last.
  public let window: (from: Instant, until: Instant)
  /// The rules.
  public let rules: [Rule]
  private let expanders: [ScheduleExpander]

  /// Reads a question; `zones` finds a zone by its name.
  public init(_ node: TimingNode, zones: (String) -> Zone?) throws(TimingError) {
    try self.init(node, zones: zones) { (rule, anchor, zone) throws(TimingError) in
      try DosingRule(rule).rules(anchor: anchor, in: zone)
    }
  }

  /// The same with another reader of `rule`, so that who has none of those need not carry them along.
  init(
    _ node: TimingNode, zones: (String) -> Zone?,
    reading: (TimingNode, TimingAnchor, Zone) throws(TimingError) -> [Rule]
  ) throws(TimingError) {
    let reader = try NodeReader(node, path: "").withoutNulls
    guard let name = try reader.text("tz") else { throw reader.error("tz", .empty) }
    guard let zone = zones(name) else { throw reader.error("tz", .unknownZone) }
    self.zone = zone
    rhythm = try Self.rhythm(reader)
    guard let from = try Self.moment(reader, "start") else { throw reader.error("start", .empty) }
    guard let until = try Self.moment(reader, "end") else { throw reader.error("end", .empty) }
    let begin = from.start(in: zone)
    let end = until.start(in: zone).instant
    if end < begin.instant { throw reader.error("end", .endsBeforeStart) }
    window = (begin.instant, end)
    let stated = try Self.moment(reader, "anchor")?.start(in: zone) ?? begin
    let anchor = TimingAnchor(instant: stated.instant, date: stated.date)
    switch (reader["timing"], reader["rule"]) {
    case (let timing?, nil):
      rules = try Timing(timing).rules(anchor: anchor, in: zone).map { ($0, nil) }
    case (nil, let rule?): rules = try reading(rule, anchor, zone)
    case (nil, nil): throw reader.error("timing", .empty)
    default: throw reader.error("timing", .excludes("rule"))
    }
    let (personal, place) = (rhythm, zone)
    expanders = rules.map {
      ScheduleExpander(schedule: $0.rule.schedule, zone: place, rhythm: personal)
    }
  }

  /// The doses within the window.
  public func answer() throws(TimingError) -> ScheduleAnswer {
    var found = ScheduleAnswer()
    for (index, expander) in expanders.enumerated() {
      let known = expander.knownCount(from: window.from, until: window.until) ?? 0
      if known > Int64(Self.mostInstants) {
        throw TimingError("end", .tooManyInstants(Self.mostInstants))
      }
      let own = expander.occurrences(
        from: window.from, until: window.until, limit: Self.mostInstants + 1)
      found.take(own, from: index)
      if found.occurrences.count > Self.mostInstants {
        throw TimingError("end", .tooManyInstants(Self.mostInstants))
      }
    }
    return found
  }

  private static func moment(
    _ reader: NodeReader, _ name: String
  ) throws(TimingError) -> TimingMoment? {
    guard let text = try reader.text(name) else { return nil }
    switch TimingMoment(text, allowsLocal: true) {
    case nil, .year, .month:
      throw reader.error(name, .malformed("a date, a local date-time or an instant"))
    case let moment?: return moment
    }
  }

  private static func rhythm(_ reader: NodeReader) throws(TimingError) -> DailyRhythm {
    var rhythm = DailyRhythm()
    guard let events = try reader.object("events") else { return rhythm }
    for member in events.members {
      guard let event = DayEvent(code: member.name), event.base == event else {
        throw events.error(member.name, .unknownCode)
      }
      guard case .text(let text) = member.value, let time = ClockTime(text: text) else {
        throw events.error(member.name, .malformed("HH:MM or HH:MM:SS"))
      }
      rhythm.set(time, for: event)
    }
    return rhythm
  }
}

extension NodeReader {
  /// A member that is null says the same here as one that is missing.
  fileprivate var withoutNulls: NodeReader {
    NodeReader(members: members.filter { $0.value != .null }, path: path)
  }
}
