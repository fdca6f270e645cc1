// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// The parts of a dosage as text, before they are combined.
struct DosageParts {
  var dose: DosePhrase
  let manner: Manner
  /// True if the language has words for the route.
  let isRouted: Bool
  /// True if it states when, how often or how fast.
  var hasSchedule = false
  /// The frequency, times, rate and duration, in order.
  var details: [String] = []
  /// The maximum doses.
  var limits: [String] = []

  /// True if the elements state both amount and time, so that the sender's text only repeats them.
  var isWhole: Bool { dose.amount != nil && hasSchedule }
  /// True if the sentence states the site or the route.
  var isPlaced: Bool { isRouted || manner.place != nil }
}

extension DosagePhrasing {
  /// Reads everything that is expressed without quoting, and marks it.
  mutating func parts() throws(DosageRefusal) -> DosageParts {
    try TimingChecks.check(dosage.timing)
    let dose = try dosePhrase()
    let manner = Manner(dosage: dosage, unit: dose.unit)
    var parts = DosageParts(dose: dose, manner: manner, isRouted: manner.isFromRoute)
    if manner.isFromRoute { elements.voice(.dosage, "route") }
    if manner.place != nil { elements.voice(.dosage, "site") }
    var scheduled = scheduleParts()
    if let combined {
      parts.dose.amount = combined
      parts.dose.isOneUse = false
      (scheduled.times, scheduled.events) = ([], [])
      scheduled.often = scheduled.days.isEmpty ? everyDay : nil
    }
    let schedule = schedulePhrase(scheduled)
    if let when = needPhrase(schedule) ?? schedule?.text { parts.details.append(when) }
    if let offset = offsetAlone() { parts.details.append(offset) }
    parts.hasSchedule =
      schedule != nil || dose.rate != nil || !parts.details.isEmpty && dosage.text == nil
    if let rate = dose.rate { parts.details.append(rate) }
    for phrase in [durationPhrase(), countPhrase(), try boundsPhrase()] {
      if let phrase { parts.details.append(phrase) }
    }
    if let words = scheduled.quoted {
      parts.dose.notes.append(localizer.text("dosage.timing-quoted", ["text": .text(words)]))
    }
    parts.limits = try limitPhrases()
    return parts
  }

  /// Returns `when needed`, with the frequency as a limit: an as-needed dosage plans no doses (timing rule
  /// 31).
  mutating func needPhrase(_ schedule: SchedulePhrase?) -> String? {
    elements.voice(.dosage, "asNeededBoolean")
    guard dosage.asNeeded else { return nil }
    let need = needWords()
    guard let schedule else { return need }
    return localizer.text(
      "dosage.need-limit",
      [
        "need": .text(need), "kind": .text(schedule.kind.rawValue), "often": .text(schedule.text),
      ])
  }

  /// Returns `when needed`, or `when needed for pain`.
  mutating func needWords() -> String {
    let concept = dosage.json["asNeededCodeableConcept"]
    guard let reason = Lexicon.entry(concept, in: Lexicon.reasons) else {
      return localizer.text("dosage.need")
    }
    elements.voice(.dosage, "asNeededCodeableConcept")
    let words = localizer.text("lexicon.reason", ["reason": .text(reason)])
    return localizer.text("dosage.need-reason", ["reason": .text(words)])
  }
}
