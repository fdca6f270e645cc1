// SPDX-License-Identifier: Apache-2.0
import FHIR
import Foundation
import Localization
import Scheduling

extension DosagePhrasing {
  /// From when, until when or for how long; nil when the dosage sets no bounds that can be said.
  mutating func boundsPhrase() -> String? {
    guard let timing = dosage.timing else { return nil }
    let start = timing.boundsPeriodStart.flatMap(dateText)
    let end = timing.boundsPeriodEnd.flatMap(dateText)
    if start != nil { elements.voice("timing.repeat.boundsPeriod.start") }
    if end != nil { elements.voice("timing.repeat.boundsPeriod.end") }
    // A date as the end means the whole of that day (timing rule 3).
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
    case (nil, nil): return durationText(timing)
    }
  }

  private mutating func durationText(_ timing: TimingView) -> String? {
    guard let duration = timing.boundsDuration, let value = duration.value, value.isFinite,
      duration.comparator == nil, let unit = duration.code ?? duration.unit,
      ["s", "min", "h", "d", "wk", "mo", "a"].contains(unit)
    else { return nil }
    elements.voice("timing.repeat.boundsDuration")
    return localizer.text("dosage.bounds-duration", ["n": .decimal(value), "unit": .text(unit)])
  }

  /// A date as precise as it was written, with the clock time as it was written.
  private func dateText(_ text: String) -> String? {
    guard let moment = FHIRDateTime(text) else { return nil }
    guard let month = moment.month else { return String(localizer.shownYear(moment.year)) }
    guard let dayOfMonth = moment.day else { return localizer.month(month, year: moment.year) }
    guard let civil = CivilDate(year: moment.year, month: month, day: dayOfMonth) else {
      return nil
    }
    let date = localizer.date(
      LocalDay(
        year: moment.year, month: month, day: dayOfMonth, isoWeekday: civil.weekday.rawValue),
      .medium)
    guard let hour = moment.hour, let minute = moment.minute else { return date }
    // The zone of the reader is not known here; a time in UTC says so.
    let time =
      localizer.time(hour: hour, minute: minute) + (moment.offsetMinutes == 0 ? " UTC" : "")
    return localizer.text("dosage.date-time", ["date": .text(date), "time": .text(time)])
  }
}
