// SPDX-License-Identifier: Apache-2.0

/// A request for dose instants: a Timing or a rule, a zone and a window.
public struct ScheduleQuestion: Sendable {
  /// The maximum number of instants in an answer.
  public static let mostInstants = 1_000_000

  /// One of the rules whose doses are merged.
  public struct Rule: Sendable {
    /// The rule.
    public let rule: TimingRule
    /// The dose of its step, if it has one.
    public var dose: TimingNode?
    /// The end of the previous dosages (rule 30); earlier doses of the pattern are dropped.
    var notBefore: Instant?
  }

  /// The context in which rules are expanded.
  struct Place {
    let anchor: TimingAnchor
    let zone: Zone
    let rhythm: DailyRhythm
    let choices: TimingChoices
  }

  /// The zone.
  public let zone: Zone
  /// The times of the person's meals and sleep.
  public let rhythm: DailyRhythm
  /// The window: from its first instant up to, but not including, its last.
  public let window: (from: Instant, until: Instant)
  /// The clinic's choices that differ from the default rules.
  public let choices: TimingChoices
  /// The rules.
  public let rules: [Rule]
  private let expanders: [ScheduleExpander]

  /// Parses a question; `zones` finds a zone by its name.
  public init(_ node: TimingNode, zones: (String) -> Zone?) throws(TimingError) {
    try self.init(node, zones: zones) { (reader, rhythm) throws(TimingError) in
      try TimingChoices(reader, &rhythm)
    } reading: { (reader, place) throws(TimingError) in
      guard let dosages = try reader.list("dosages") else {
        return try Self.rules(ofRule: reader, place)
      }
      if reader.has("rule") { throw reader.error("rule", .excludes("dosages")) }
      return try DosageSequence(dosages).rules(place)
    }
  }

  /// Parses a question with custom parsers for the settings and for the alternatives to a Timing, so that the browser
  /// module can leave these out.
  init(
    _ node: TimingNode, zones: (String) -> Zone?,
    choosing: (NodeReader, inout DailyRhythm) throws(TimingError) -> TimingChoices,
    reading: (NodeReader, Place) throws(TimingError) -> [Rule]
  ) throws(TimingError) {
    let reader = try NodeReader(node, path: "").withoutNulls
    guard let name = try reader.text("tz") else { throw reader.error("tz", .empty) }
    guard let zone = zones(name) else { throw reader.error("tz", .unknownZone) }
    self.zone = zone
    var personal = try Self.rhythm(reader)
    let chosen = try choosing(reader, &personal)
    (rhythm, choices) = (personal, chosen)
    guard let from = try Self.moment(reader, "start") else { throw reader.error("start", .empty) }
    guard let until = try Self.moment(reader, "end") else { throw reader.error("end", .empty) }
    let begin = from.start(in: zone)
    let end = until.start(in: zone).instant
    if end < begin.instant { throw reader.error("end", .endsBeforeStart) }
    window = (begin.instant, end)
    let stated = try Self.moment(reader, "anchor")?.start(in: zone) ?? begin
    let anchor = TimingAnchor(instant: stated.instant, date: stated.date)
    if let timing = reader["timing"] {
      for other in ["rule", "dosages"] where reader.has(other) {
        throw reader.error("timing", .excludes(other))
      }
      rules = try Timing(timing).rules(anchor: anchor, in: zone, choices: chosen)
        .map { Rule(rule: $0) }
    } else {
      rules = try reading(
        reader, Place(anchor: anchor, zone: zone, rhythm: personal, choices: chosen))
    }
    expanders = rules.map {
      ScheduleExpander(schedule: $0.rule.schedule, zone: zone, rhythm: personal, choices: chosen)
    }
  }

  /// Returns the rules of the member `rule`.
  static func rules(ofRule reader: NodeReader, _ place: Place) throws(TimingError) -> [Rule] {
    guard let rule = reader["rule"] else { throw reader.error("timing", .empty) }
    return try DosingRule(rule).rules(anchor: place.anchor, in: place.zone)
      .map { Rule(rule: $0.rule, dose: $0.dose) }
  }

  /// Returns the doses within the window.
  public func answer() throws(TimingError) -> ScheduleAnswer {
    var found = ScheduleAnswer()
    for (index, expander) in expanders.enumerated() {
      let from = max(window.from, rules[index].notBefore ?? window.from)
      let known = expander.knownCount(from: from, until: window.until) ?? 0
      if known > Int64(Self.mostInstants) {
        throw TimingError("end", .tooManyInstants(Self.mostInstants))
      }
      let own = expander.occurrences(
        from: from, until: window.until, limit: Self.mostInstants + 1)
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
  /// The members without those that are null, which are treated as missing.
  fileprivate var withoutNulls: NodeReader {
    NodeReader(members: members.filter { $0.value != .null }, path: path)
  }
}
