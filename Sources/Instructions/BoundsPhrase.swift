// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization
import Scheduling

/// A date of `timing.event` as text.
struct EventDate {
  let text: String
  /// The precision `day`, `month` or `year`, which selects the preposition.
  let precision: String
}

extension DosagePhrasing {
  /// Returns the start, end or duration; nil if the dosage has no bounds that can be expressed.
  mutating func boundsPhrase() throws(DosageRefusal) -> String? {
    guard let timing = dosage.timing, let recurrence = timing.repeatObject else { return nil }
    if timing.hasBoundsPeriod { return periodPhrase(timing) }
    if let json = recurrence["boundsDuration"] {
      let duration = try StatedQuantity(json, "timing.repeat.boundsDuration")
      guard case .time = duration.unit else { return nil }
      elements.voice(.recurrence, "boundsDuration")
      return localizer.text("dosage.bounds-for", ["span": .text(words(duration)), "kind": "one"])
    }
    guard let json = recurrence["boundsRange"] else { return nil }
    let range = try StatedRange(json, "timing.repeat.boundsRange")
    for end in [range.low, range.high] {
      if let end, case .time = end.unit { continue }
      if end != nil { return nil }
    }
    elements.voice(.recurrence, "boundsRange")
    return localizer.text(
      "dosage.bounds-for", ["span": .text(words(range)), "kind": .text(range.kind)])
  }

  private mutating func periodPhrase(_ timing: TimingView) -> String? {
    let start = timing.boundsPeriodStart.flatMap { dateText($0, .start) }
    let end = timing.boundsPeriodEnd.flatMap { dateText($0, .end) }
    if start != nil { elements.voice(.boundsPeriod, "start") }
    if end != nil { elements.voice(.boundsPeriod, "end") }
    // A date as the end includes all of that day (timing rule 3).
    let hasTime = timing.boundsPeriodEnd.flatMap { FHIRDateTime($0) }?.hour != nil
    let precision: MessageArgument = hasTime ? "time" : "day"
    switch (start, end) {
    case (let start?, let end?):
      return localizer.text(
        "dosage.bounds-from-until",
        ["start": .text(start), "end": .text(end), "precision": precision])
    case (let start?, nil): return localizer.text("dosage.bounds-from", ["start": .text(start)])
    case (nil, let end?):
      return localizer.text("dosage.bounds-until", ["end": .text(end), "precision": precision])
    case (nil, nil): return nil
    }
  }

  /// Returns the dates of `timing.event`, all or none.
  mutating func eventDates(_ timing: TimingView) -> [EventDate] {
    let events = timing.events
    if events.isEmpty { return [] }
    let dates = events.sorted().compactMap(eventDate)
    guard dates.count == events.count else { return [] }
    elements.voice(.timing, "event")
    return dates
  }

  /// Returns a full date, or only the month or year if no more is stated.
  private func eventDate(_ text: String) -> EventDate? {
    if let date = dateText(text, nil) { return EventDate(text: date, precision: "day") }
    guard let moment = FHIRDateTime(text), moment.day == nil else { return nil }
    guard let month = moment.month else {
      return EventDate(text: "\(localizer.shownYear(moment.year))", precision: "year")
    }
    return EventDate(text: localizer.month(month, year: moment.year), precision: "month")
  }

  /// Returns the total number of times, such as `16 times in total`.
  mutating func countPhrase() -> String? {
    guard let timing = dosage.timing else { return nil }
    let high = timing.countMax
    if high != nil { elements.voice(.recurrence, "countMax") }
    guard let count = timing.count else {
      return high.map { localizer.text("dosage.count-most", ["n": .number($0)]) }
    }
    elements.voice(.recurrence, "count")
    guard let high, high != count else {
      return localizer.text("dosage.count", ["n": .number(count)])
    }
    return localizer.text("dosage.count-range", ["low": .number(count), "high": .number(high)])
  }

  /// Returns the duration of one administration, such as `lasting 1 hour each time`.
  mutating func durationPhrase() -> String? {
    guard let recurrence = dosage.timing?.repeatObject, let unit = dosage.timing?.durationUnit,
      Self.isUnit(unit)
    else { return nil }
    let words: String
    switch (recurrence.exact("duration"), recurrence.exact("durationMax")) {
    case (let low?, let high?): words = span(low, high, unit)
    case (let low?, nil): words = span(low, unit)
    case (nil, let high?):
      words = localizer.text(
        "dosage.comparison", ["comparator": "<=", "amount": .text(span(high, unit))])
    case (nil, nil): return nil
    }
    for name in ["duration", "durationMax", "durationUnit"] { elements.voice(.recurrence, name) }
    return localizer.text("dosage.lasting", ["span": .text(words)])
  }

  /// The day that a month or a year stands for (timing rules 2 and 3).
  private enum Edge {
    case start, end
  }

  /// Returns a date, with the clock time as written; a month or a year means its first or last day.
  private func dateText(_ text: String, _ edge: Edge?) -> String? {
    // FHIR requires an offset with every time; many senders leave it out, and mean the patient's clock.
    let stated = FHIRDateTime(text)
    guard let moment = stated ?? FHIRDateTime(text + "Z"), moment.day != nil || edge != nil else {
      return nil
    }
    let month = moment.month ?? (edge == .end ? 12 : 1)
    let candidates = moment.day.map { [$0] } ?? (edge == .end ? [31, 30, 29, 28] : [1])
    guard
      let (dayOfMonth, civil) = candidates.lazy.compactMap({ day in
        CivilDate(year: moment.year, month: month, day: day).map { (day, $0) }
      }).first
    else { return nil }
    let date = localizer.date(
      LocalDay(
        year: moment.year, month: month, day: dayOfMonth, isoWeekday: civil.weekday.rawValue),
      .medium)
    guard let hour = moment.hour, let minute = moment.minute else { return date }
    var time = localizer.time(hour: hour, minute: minute)
    if let second = moment.second, second > 0 { time += second < 10 ? ":0\(second)" : ":\(second)" }
    let words = localizer.text("dosage.date-time", ["date": .text(date), "time": .text(time)])
    // The reader's zone is not known here; a time in UTC says so.
    return stated?.offsetMinutes == 0 ? words + " (UTC)" : words
  }
}
