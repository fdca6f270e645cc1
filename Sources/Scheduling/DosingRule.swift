// SPDX-License-Identifier: Apache-2.0

/// A rule outside FHIR: an alarm, days on and off, a taper or an interval.
public enum DosingRule: Hashable, Sendable {
  /// Times on some weekdays between two dates, except on excluded dates.
  case alarm(Alarm)
  /// Days on and days off.
  case cyclic(Cyclic)
  /// Steps that follow each other, measured in calendar days.
  case taper(start: CivilDate, steps: [TaperStep])
  /// Elapsed time between doses.
  case interval(everyMilliseconds: Int64, first: TimingMoment, count: Int?)

  /// An alarm as a person sets it.
  public struct Alarm: Hashable, Sendable {
    /// The weekdays; nil for every day.
    public var weekdays: Set<Weekday>?
    /// The times of day.
    public var times: [ClockTime]
    /// The first date; nil if there is none.
    public var from: CivilDate?
    /// The last date, inclusive.
    public var until: CivilDate?
    /// The dates on which it does not ring.
    public var excludedDates: Set<CivilDate>
  }

  /// A repeating cycle of days with doses and days without.
  public struct Cyclic: Hashable, Sendable {
    /// The number of days with doses.
    public var daysOn: Int
    /// The number of days without doses.
    public var daysOff: Int
    /// The first day on.
    public var start: CivilDate
    /// The times of day.
    public var times: [ClockTime]
  }

  /// One step of a taper.
  public struct TaperStep: Hashable, Sendable {
    /// The length of the step in calendar days.
    public var days: Int
    /// The times of day.
    public var times: [ClockTime]
    /// The dose as written; passed through unread.
    public var dose: TimingNode
  }

  /// Parses a rule, whose type is its `kind`.
  public init(_ node: TimingNode) throws(TimingError) {
    let reader = try NodeReader(node, path: "rule")
    guard let kind = try reader.text("kind") else { throw reader.error("kind", .empty) }
    if kind.isSame(as: "alarm") {
      self = .alarm(try Self.alarm(reader))
    } else if kind.isSame(as: "cyclic") {
      self = .cyclic(try Self.cyclic(reader))
    } else if kind.isSame(as: "taper") {
      self = try Self.taper(reader)
    } else if kind.isSame(as: "interval") {
      self = try Self.interval(reader)
    } else {
      throw reader.error("kind", .unknownCode)
    }
  }

  private static func alarm(_ reader: NodeReader) throws(TimingError) -> Alarm {
    var weekdays: Set<Weekday> = []
    for node in try reader.list("weekdays") ?? [] {
      guard case .text(let code) = node, let weekday = Weekday(code: code) else {
        throw reader.error("weekdays", .unknownCode)
      }
      weekdays.insert(weekday)
    }
    var excluded: Set<CivilDate> = []
    for node in try reader.list("excludeDates") ?? [] {
      guard case .text(let text) = node, let date = CivilDate(text: text) else {
        throw reader.error("excludeDates", .malformed("a date"))
      }
      excluded.insert(date)
    }
    let from = try reader.date("from")
    let until = try reader.date("until")
    if let from, let until, until < from { throw reader.error("until", .endsBeforeStart) }
    return Alarm(
      weekdays: weekdays.isEmpty ? nil : weekdays, times: try reader.times(), from: from,
      until: until, excludedDates: excluded)
  }

  private static func cyclic(_ reader: NodeReader) throws(TimingError) -> Cyclic {
    guard let daysOn = try reader.positiveInteger("daysOn") else {
      throw reader.error("daysOn", .empty)
    }
    guard let daysOff = try reader.integer("daysOff") else {
      throw reader.error("daysOff", .empty)
    }
    if daysOff < 0 { throw reader.error("daysOff", .negative) }
    guard let start = try reader.date("cycleStart") else {
      throw reader.error("cycleStart", .empty)
    }
    return Cyclic(
      daysOn: min(daysOn, DayPattern.longestDays), daysOff: min(daysOff, DayPattern.longestDays),
      start: start, times: try reader.times())
  }

  private static func taper(_ reader: NodeReader) throws(TimingError) -> DosingRule {
    guard let start = try reader.date("start") else { throw reader.error("start", .empty) }
    guard let nodes = try reader.list("steps"), !nodes.isEmpty else {
      throw reader.error("steps", .empty)
    }
    var steps: [TaperStep] = []
    for node in nodes {
      let step = try NodeReader(node, path: "rule.steps")
      guard let days = try step.positiveInteger("days") else { throw step.error("days", .empty) }
      steps.append(
        TaperStep(
          days: min(days, DayPattern.longestDays), times: try step.times(),
          dose: step["dose"] ?? .null))
    }
    return .taper(start: start, steps: steps)
  }

  private static func interval(_ reader: NodeReader) throws(TimingError) -> DosingRule {
    guard let minutes = try reader.positive("everyMinutes") else {
      throw reader.error("everyMinutes", .empty)
    }
    guard let length = minutes.times(60_000), length.value >= 1 else {
      throw reader.error("everyMinutes", .outOfRange)
    }
    guard let text = try reader.text("first") else { throw reader.error("first", .empty) }
    guard let first = TimingMoment(text, allowsLocal: true) else {
      throw reader.error("first", .malformed("an instant or a local date-time"))
    }
    switch first {
    case .instant, .local: break
    default: throw reader.error("first", .malformed("an instant or a local date-time"))
    }
    return .interval(
      everyMilliseconds: min(length.value, Schedule.longestPeriod), first: first,
      count: try reader.positiveInteger("count"))
  }
}

extension NodeReader {
  fileprivate func date(_ name: String) throws(TimingError) -> CivilDate? {
    guard let text = try text(name) else { return nil }
    guard let date = CivilDate(text: text) else { throw error(name, .malformed("a date")) }
    return date
  }

  /// Returns the times written as "HH:MM" or "HH:MM:SS", without duplicates.
  fileprivate func times() throws(TimingError) -> [ClockTime] {
    guard let texts = try texts("times") else { throw error("times", .empty) }
    var times: [ClockTime] = []
    for text in texts {
      guard let time = ClockTime(text: text) else {
        throw error("times", .malformed("HH:MM or HH:MM:SS"))
      }
      if !times.contains(time) { times.append(time) }
    }
    return times
  }
}
