// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// Converts one dosage to text.
///
/// Each part is in its own extension and marks in `elements` what it has expressed.
struct DosagePhrasing {
  let dosage: DosageView
  let localizer: SentenceLocalizer
  var elements: DosageElements
  /// The combined amounts and times of several dosages, which replace this dosage's own.
  var combined: String?
  /// True to say that a dose has no unit; false to refuse such a dose.
  var mayLackUnit = false

  init(_ dosage: DosageView, _ localizer: SentenceLocalizer) {
    self.dosage = dosage
    self.localizer = localizer
    elements = DosageElements(dosage)
    elements.voice(.dosage, "sequence")
  }

  /// Returns the dosage as sentences, followed by the sender's quoted notes.
  mutating func sentence() throws(DosageRefusal) -> String {
    let parts = try parts()
    let details = joined(parts.details)
    var sentences: [String] = []
    let isSaid = parts.dose.amount != nil || details != nil || parts.isPlaced
    if isSaid, parts.dose.amount != nil || parts.hasSchedule || dosage.text == nil {
      sentences.append(mainSentence(parts, details))
    } else if let text = dosage.text, !parts.isPlaced {
      // There is only the sender's text: it is quoted, never interpreted.
      elements.voice(.dosage, "text")
      sentences.append(localizer.text("dosage.text-only", ["text": .text(text)]))
      if let details { sentences.append(standing(details)) }
    } else if isSaid {
      sentences.append(mainSentence(parts, details))
    }
    sentences += parts.dose.notes
    sentences += parts.limits.map(standing)
    sentences += concepts(parts.manner)
    sentences += quotes()
    if sentences.isEmpty {
      let isEmpty = elements.unvoiced.isEmpty && dosage.presentElements.isEmpty
      sentences.append(localizer.text(isEmpty ? "dosage.nothing" : "dosage.not-in-words"))
    }
    sentences += theSendersWords(areRepeated: parts.isWhole)
    return sentences.joined(separator: " ")
  }

  /// Returns everything without verbs, for professionals.
  mutating func clinical() throws(DosageRefusal) -> String {
    let parts = try parts()
    var items: [String?] = [parts.dose.amount]
    if parts.isRouted, parts.manner.place == nil {
      items.append(
        localizer.text("lexicon.route", ["route": .text(parts.manner.use.rawValue)]))
    }
    if let place = parts.manner.place {
      items.append(localizer.text("lexicon.place", ["place": .text(place)]))
    }
    items += parts.details.map { $0 }
    items += parts.limits.map { $0 }
    items += parts.dose.notes.map { $0 }
    items += concepts(parts.manner).map { $0 }
    items += quotes().map { $0 }
    let isMoreThanNeed = parts.dose.amount != nil || parts.hasSchedule || parts.isPlaced
    items += theSendersWords(areRepeated: parts.isWhole || !isMoreThanNeed).map { $0 }
    let said = items.compactMap { $0 }
    if !isMoreThanNeed, let text = dosage.text, elements.unvoiced.contains("text") {
      elements.voice(.dosage, "text")
      return ([localizer.text("dosage.text-only", ["text": .text(text)])] + said)
        .joined(separator: " · ")
    }
    if !said.isEmpty { return said.joined(separator: " · ") }
    return localizer.text(elements.unvoiced.isEmpty ? "dosage.nothing" : "dosage.not-in-words")
  }

  /// Returns the amount and the times, for lists.
  mutating func short() throws(DosageRefusal) -> String {
    try TimingChecks.check(dosage.timing)
    let dose = try dosePhrase()
    let scheduled = scheduleParts(isShort: true)
    let times = shortSchedule(scheduled)
    let amount = dose.amount ?? dose.rate
    if amount == nil, times.isEmpty { return dosage.text ?? placeAlone() ?? "" }
    // For as-needed dosages the times are limits, and must not be read as times to take it.
    let parts = needPhrase(schedulePhrase(scheduled)).map { [$0] } ?? times
    return ([amount] + parts).compactMap { $0 }.joined(separator: " · ")
  }

  /// Returns the eye, ear or nostril if nothing else is stated.
  private mutating func placeAlone() -> String? {
    guard let place = Manner(dosage: dosage, unit: nil).place else { return nil }
    elements.voice(.dosage, "site")
    return localizer.text("lexicon.place", ["place": .text(place)])
  }

  /// Returns a phrase as a separate sentence.
  func standing(_ phrase: String) -> String {
    localizer.capitalized(localizer.text("dosage.aside", ["details": .text(phrase)]))
  }

  private mutating func mainSentence(_ parts: DosageParts, _ details: String?) -> String {
    var arguments: MessageArguments = [:]
    // "Apply 1 application" says no more than "apply this medicine".
    if !parts.dose.isOneUse || !parts.manner.saysUse(of: parts.dose.unit) {
      arguments["amount"] = parts.dose.amount.map { .text($0) }
    }
    arguments["details"] = details.map { .text($0) }
    if let place = parts.manner.place {
      arguments["site"] = .text(localizer.text("lexicon.place", ["place": .text(place)]))
    }
    return localizer.capitalized(
      localizer.text(MessageKey("dosage.sentence-\(parts.manner.use.rawValue)"), arguments))
  }

  /// Joins phrases as usual in the language; nil if there are none.
  func joined(_ phrases: [String], after first: String? = nil) -> String? {
    var result = first
    for phrase in phrases {
      result =
        result.map {
          localizer.text("dosage.details", ["first": .text($0), "second": .text(phrase)])
        } ?? phrase
    }
    return result
  }
}
