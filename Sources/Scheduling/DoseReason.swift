// SPDX-License-Identifier: Apache-2.0

/// A rule that had a part in when a dose falls, and what it did: the answer to "why 03:00?".
public enum DoseReason: Hashable, Sendable {
  /// The time was written so.
  case written(ClockTime)
  /// No time was written; this is the one for so many doses a day.
  case defaultTime(ClockTime, perDay: Int)
  /// The time of an event of the day.
  case event(DayEvent, at: ClockTime)
  /// So many minutes before or after the event.
  case offset(minutes: Int, isBefore: Bool, isDefault: Bool)
  /// The offset leads to the date before or after the one of the event.
  case otherDate(nominal: CivilDate)
  /// The written time does not exist on that date, since the clock goes forward; `isShifted` where the dose
  /// falls as much later instead of at the first moment after.
  case gap(written: ClockTime, isShifted: Bool = false)
  /// The written time comes twice on that date, since the clock goes back; this is the first, or
  /// the second where a clinic chose so.
  case overlap(written: ClockTime, isSecond: Bool = false)
  /// The month is shorter than the day of the month that is asked for.
  case shortMonth
  /// So much elapsed time after the anchor.
  case elapsed(number: Int64, everyMilliseconds: Int64, times: Int)
  /// The clock shows another time than at the dose before, since it was set meanwhile.
  case clockWasSet(bySeconds: Int)
  /// The instant was given.
  case given

  /// The number of the rule in the project's timing rules.
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

  /// True if it moved the dose away from what was written.
  public var isMove: Bool {
    switch self {
    case .gap, .overlap, .shortMonth, .clockWasSet, .otherDate: true
    default: false
    }
  }

  /// True if a change of the clock did it.
  public var isOfClockChange: Bool {
    switch self {
    case .gap, .overlap, .clockWasSet: true
    default: false
    }
  }

  /// One sentence.
  public var text: String {
    switch self {
    case .written(let time): "The time is written: " + time.text + "."
    case .defaultTime(let time, let count):
      "No time is written; " + time.text + " is one of the times for " + String(count) + " a day."
    case .event(let event, let time): event.code + " is at " + time.text + "."
    case .offset(let minutes, let isBefore, let isDefault):
      (isDefault ? "No offset is written: " : "The offset is written: ") + String(minutes)
        + (isBefore ? " minutes before." : " minutes after.")
    case .otherDate(let date):
      "The offset leads to another date than " + date.text + ", which it belongs to."
    case .gap(let time, let isShifted):
      "The clock goes forward and skips " + time.text + "; the dose falls "
        + (isShifted ? "as much later." : "on the first moment after.")
    case .overlap(let time, let isSecond):
      "The clock goes back and shows " + time.text + " twice; the dose falls on the "
        + (isSecond ? "second." : "first.")
    case .shortMonth: "The month is shorter; its last day stands in."
    case .elapsed(let number, let every, let times):
      "Dose number " + String(number + 1) + " of " + String(times) + " in every "
        + String(every / 1000) + " seconds of elapsed time since the anchor."
    case .clockWasSet(let seconds):
      "The clock was set by " + String(seconds)
        + " seconds since the dose before; elapsed time does not follow it."
    case .given: "The instant is given."
    }
  }
}

extension TimingRule {
  /// Why a dose of this rule falls when it does, in the order in which the rules applied.
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

  /// What a change of the clock did to a time.
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
