// SPDX-License-Identifier: Apache-2.0

/// A rule that helped to determine when a dose is due, and its effect: the answer to "why 03:00?".
public enum DoseReason: Hashable, Sendable {
  /// The schedule states the time.
  case written(ClockTime)
  /// The schedule states no time; this is a default for the number of doses a day.
  case defaultTime(ClockTime, perDay: Int)
  /// The time of a daily event.
  case event(DayEvent, at: ClockTime)
  /// The number of minutes before or after the event.
  case offset(minutes: Int, isBefore: Bool, isDefault: Bool)
  /// The offset moves the dose to the day before or after the event.
  case otherDate(nominal: CivilDate)
  /// The written time does not exist on that date because the clock goes forward.
  ///
  /// The dose is due at the first moment after the gap, or, if `isShifted`, later by the length of the gap.
  case gap(written: ClockTime, isShifted: Bool = false)
  /// The written time occurs twice on that date because the clock goes back.
  ///
  /// The dose is due at the first occurrence, or at the second one if `isSecond`.
  case overlap(written: ClockTime, isSecond: Bool = false)
  /// The month is too short for the requested day of the month.
  case shortMonth
  /// The elapsed time after the anchor.
  case elapsed(number: Int64, everyMilliseconds: Int64, times: Int)
  /// The clock shows a different time than at the previous dose because it changed in between.
  case clockWasSet(bySeconds: Int)
  /// The schedule states the exact instant.
  case given

  /// The number of the rule in docs/timing.md.
  public var rule: Int {
    switch self {
    case .written: 6
    case .defaultTime: 12
    case .event: 20
    case .offset(_, _, let isDefault): isDefault ? 21 : 22
    case .otherDate: 23
    case .gap: 8
    case .overlap: 9
    case .shortMonth: 19
    case .elapsed, .clockWasSet: 7
    case .given: 26
    }
  }

  /// True if the rule moved the dose away from the written time.
  public var isMove: Bool {
    switch self {
    case .gap, .overlap, .shortMonth, .clockWasSet, .otherDate: true
    default: false
    }
  }

  /// True if the reason is a clock change.
  public var isOfClockChange: Bool {
    switch self {
    case .gap, .overlap, .clockWasSet: true
    default: false
    }
  }

  /// A sentence that explains the reason.
  public var text: String {
    switch self {
    case .written(let time): "The schedule says " + time.text + "."
    case .defaultTime(let time, let count):
      "The schedule gives no time; " + time.text + " is a default time for " + String(count)
        + (count == 1 ? " dose a day." : " doses a day.")
    case .event(let event, let time):
      "The daily time for " + event.code + " is " + time.text + "."
    case .offset(let minutes, let isBefore, let isDefault):
      Self.text(ofOffset: minutes, isBefore, isDefault)
    case .otherDate(let date):
      "The offset moves the dose to another date, but it still belongs to " + date.text + "."
    case .gap(let time, let isShifted):
      "The clocks go forward and skip " + time.text + ", so the dose is "
        + (isShifted ? "later by the length of the gap." : "right after the gap.")
    case .overlap(let time, let isSecond):
      "The clocks go back, so " + time.text + " occurs twice; the dose is at the "
        + (isSecond ? "second occurrence." : "first occurrence.")
    case .shortMonth: "The month does not have that day, so its last day is used."
    case .elapsed(let number, let every, let times): Self.text(ofElapsed: number, every, times)
    case .clockWasSet(let seconds):
      "The clocks changed by " + String(seconds)
        + " seconds since the previous dose; the elapsed time between doses stays the same."
    case .given: "The schedule gives this exact instant."
    }
  }

  private static func text(ofOffset minutes: Int, _ isBefore: Bool, _ isDefault: Bool) -> String {
    let dose = isDefault ? "By default, the dose is " : "The offset puts the dose "
    let length = String(minutes) + (minutes == 1 ? " minute " : " minutes ")
    return dose + length + (isBefore ? "before the event." : "after the event.")
  }

  private static func text(ofElapsed number: Int64, _ milliseconds: Int64, _ times: Int) -> String {
    let dose = "This is dose number " + String(number + 1) + "; the schedule has "
    let doses = String(times) + (times == 1 ? " dose every " : " doses every ")
    let length = String(milliseconds / 1000) + " seconds of elapsed time, counted from the anchor."
    return dose + doses + length
  }
}

extension TimingRule {
  /// Returns the reasons why a dose of this rule is due when it is, in the order in which the rules applied.
  public func reasons(
    for occurrence: Occurrence, in zone: Zone, rhythm: DailyRhythm = DailyRhythm(),
    choices: TimingChoices = TimingChoices()
  ) -> [DoseReason] {
    switch (pattern, occurrence.id) {
    case (.calendar(let days, let times), .slot(let date, let slot)) where slot < times.count:
      return calendar(times[slot], of: times.count, days, date, rhythm)
        + Self.moved(occurrence.shift, times[slot], rhythm, choices)
    case (.elapsed(let every, let count), .running(let number)),
      (.elapsedOn(let every, let count, _), .running(let number)):
      let own = DoseReason.elapsed(number: number, everyMilliseconds: every, times: count)
      let distance = (every / Int64(max(count, 1)))
      let before = occurrence.instant.adding(milliseconds: -distance)
      let change = zone.offsetSeconds(at: occurrence.instant) - zone.offsetSeconds(at: before)
      return number == 0 || change == 0 ? [own] : [own, .clockWasSet(bySeconds: change)]
    default: return [.given]
    }
  }

  private func calendar(
    _ time: SlotTime, of count: Int, _ days: DayPattern, _ date: CivilDate, _ rhythm: DailyRhythm
  ) -> [DoseReason] {
    var reasons: [DoseReason] = []
    switch time {
    case .clock(let clock):
      reasons.append(hasDefaultTimes ? .defaultTime(clock, perDay: count) : .written(clock))
    case .event(let event, let offset):
      reasons.append(.event(event.base, at: rhythm[event]))
      let minutes = offset ?? rhythm.usualOffsetMinutes(event)
      if minutes > 0 {
        reasons.append(
          .offset(minutes: minutes, isBefore: event.precedesBase, isDefault: offset == nil))
      }
    }
    let wall = time.wallSeconds(in: rhythm)
    if flooredQuotient(wall, 86_400) != 0 { reasons.append(.otherDate(nominal: date)) }
    if case .months(_, let listed, _) = days {
      let wanted = listed.map { $0.sorted() } ?? [anchor.date.day]
      if !wanted.contains(date.day) { reasons.append(.shortMonth) }
    }
    return reasons
  }

  /// Returns the effect of a clock change on a time.
  private static func moved(
    _ shift: ZonedShift, _ time: SlotTime, _ rhythm: DailyRhythm, _ choices: TimingChoices
  ) -> [DoseReason] {
    let wall = flooredRemainder(time.wallSeconds(in: rhythm), 86_400)
    let written = ClockTime(wrappingSecondsOfDay: Int(wall))
    return switch shift {
    case .gap: [.gap(written: written, isShifted: choices.gap == .shift)]
    case .overlap: [.overlap(written: written, isSecond: choices.takesSecond)]
    case .none: []
    }
  }
}
