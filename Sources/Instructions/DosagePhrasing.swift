// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// Puts one dosage into words.
///
/// Each part of it lives in an extension of its own and notes in
/// `elements` what it has said.
struct DosagePhrasing {
  let dosage: DosageView
  let localizer: Localizer
  var elements: DosageElements

  init(_ dosage: DosageView, _ localizer: Localizer) {
    self.dosage = dosage
    self.localizer = localizer
    elements = DosageElements(dosage)
    elements.voice("sequence")
  }

  /// The dosage as sentences, with the sender's notes quoted after it.
  mutating func sentence() -> String {
    let amount = amountPhrase()
    let schedule = schedulePhrase()
    var sentences: [String] = []
    if amount == nil, schedule == nil, let text = dosage.text {
      // Nothing but the sender's words: they are quoted, never interpreted.
      elements.voice("text")
      sentences.append(localizer.text("dosage.text-only", ["text": .text(text)]))
      if let details = joined([needPhrase(schedule), boundsPhrase()]) {
        sentences.append(
          localizer.capitalized(localizer.text("dosage.aside", ["details": .text(details)])))
      }
    } else {
      let details = joined([needPhrase(schedule) ?? schedule?.text, boundsPhrase()])
      if amount == nil, details == nil, dosage.route == nil {
        let isEmpty = elements.unvoiced.isEmpty && dosage.presentElements.isEmpty
        sentences.append(localizer.text(isEmpty ? "dosage.nothing" : "dosage.not-in-words"))
      } else {
        sentences.append(mainSentence(amount: amount, details: details))
      }
    }
    sentences += notes()
    return sentences.joined(separator: " ")
  }

  /// The amount and the times, for lists.
  mutating func short() -> String {
    let amount = amountPhrase()
    let times = shortSchedule()
    if amount == nil, times.isEmpty { return dosage.text ?? "" }
    let need = dosage.asNeeded ? localizer.text("dosage.need") : nil
    return ([amount?.text] + times + [need]).compactMap { $0 }.joined(separator: " · ")
  }

  private mutating func mainSentence(amount: Amount?, details: String?) -> String {
    let manner = Manner(dosage: dosage, unit: amount?.unit)
    var arguments: [String: MessageArgument] = [:]
    if manner.isFromRoute { elements.voice("route") }
    arguments["amount"] = amount.map { .text($0.text) }
    arguments["details"] = details.map { .text($0) }
    let main = localizer.capitalized(
      localizer.text(MessageKey("dosage.sentence-\(manner.use.rawValue)"), arguments))
    guard !manner.isFromRoute, let route = dosage.json["route"]?.words else { return main }
    elements.voice("route")
    return main + " " + localizer.text("dosage.route-quoted", ["route": .text(route)])
  }

  /// The sender's reasons, notes and, where something could not be said, the sender's whole text.
  private mutating func notes() -> [String] {
    var result: [String] = []
    if let reason = dosage.json["asNeededCodeableConcept"]?.words {
      elements.voice("asNeededCodeableConcept")
      result.append(localizer.text("dosage.reason", ["reason": .text(reason)]))
    }
    let concepts = dosage.json["additionalInstruction"]?.array ?? []
    let additional = concepts.compactMap(\.words)
    if !additional.isEmpty, additional.count == concepts.count {
      elements.voice("additionalInstruction")
      result += additional.map { localizer.text("dosage.instruction", ["text": .text($0)]) }
    }
    if let instruction = dosage.patientInstruction {
      elements.voice("patientInstruction")
      result.append(localizer.text("dosage.instruction", ["text": .text(instruction)]))
    }
    let unvoiced = elements.unvoiced
    // Whether a dose was ordered or calculated changes nothing for the person.
    let isComplete = unvoiced.allSatisfy { $0 == "text" || $0 == "doseAndRate.type" }
    if let text = dosage.text, unvoiced.contains("text"), !isComplete {
      elements.voice("text")
      result.append(localizer.text("dosage.prescriber-words", ["text": .text(text)]))
    }
    return result
  }

  /// `when needed`, with how often as a limit: an as-needed dosage plans no doses (timing rule 31).
  private mutating func needPhrase(_ schedule: SchedulePhrase?) -> String? {
    elements.voice("asNeededBoolean")
    guard dosage.asNeeded else { return nil }
    guard let schedule else { return localizer.text("dosage.need") }
    return localizer.text(
      "dosage.need-limit",
      ["kind": .text(schedule.kind.rawValue), "often": .text(schedule.text)])
  }

  /// Phrases one after the other in the language's way; nil when there are none.
  func joined(_ phrases: [String?]) -> String? {
    var result: String?
    for case let phrase? in phrases {
      result =
        result.map {
          localizer.text("dosage.details", ["first": .text($0), "second": .text(phrase)])
        } ?? phrase
    }
    return result
  }
}
