// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

extension JSONValue {
  /// The text of a CodeableConcept; nil if it has only codes, which mean nothing to a person.
  var words: String? {
    if let text = self["text"]?.string, !text.isEmpty { return text }
    return self["coding"]?.array?.lazy.compactMap { $0["display"]?.string }.first { !$0.isEmpty }
  }
}

extension DosagePhrasing {
  /// Returns route, site, method and advice, in words if the lexicon has them, otherwise quoted.
  mutating func concepts(_ manner: Manner) -> [String] {
    var result: [String] = []
    if !manner.isFromRoute, let route = dosage.json["route"]?.words {
      elements.voice(.dosage, "route")
      result.append(localizer.text("dosage.route-quoted", ["route": .text(route)]))
    }
    if manner.place == nil, let site = siteWords() {
      elements.voice(.dosage, "site")
      result.append(localizer.text("dosage.site", ["site": .text(site)]))
    }
    let concept = dosage.json["method"]
    if let method = Lexicon.entry(concept, in: Lexicon.methods) {
      elements.voice(.dosage, "method")
      if !manner.implies(method) {
        let words = localizer.text("lexicon.method", ["method": .text(method)])
        result.append(localizer.text("dosage.method", ["method": .text(words)]))
      }
    } else if let words = concept?.words {
      elements.voice(.dosage, "method")
      result.append(localizer.text("dosage.method", ["method": .text(quoted(words))]))
    }
    return result
  }

  private func siteWords() -> String? {
    let concept = dosage.json["site"]
    if let place = Lexicon.entry(concept, in: Lexicon.places) {
      return localizer.text("lexicon.place", ["place": .text(place)])
    }
    if let site = Lexicon.entry(concept, in: Lexicon.sites) {
      return localizer.text("lexicon.site", ["site": .text(site)])
    }
    return concept?.words.map(quoted)
  }

  private func quoted(_ text: String) -> String {
    localizer.text("dosage.text-only", ["text": .text(text)])
  }

  /// Returns the sender's reasons and notes.
  mutating func quotes() -> [String] {
    var result: [String] = []
    let reason = dosage.json["asNeededCodeableConcept"]
    if Lexicon.entry(reason, in: Lexicon.reasons) == nil, let words = reason?.words {
      elements.voice(.dosage, "asNeededCodeableConcept")
      result.append(localizer.text("dosage.reason", ["reason": .text(words)]))
    }
    let concepts = dosage.json["additionalInstruction"]?.array ?? []
    let additional = concepts.compactMap(instruction)
    if !additional.isEmpty, additional.count == concepts.count {
      elements.voice(.dosage, "additionalInstruction")
      result += additional
    }
    if let instruction = dosage.patientInstruction {
      elements.voice(.dosage, "patientInstruction")
      result.append(localizer.text("dosage.instruction", ["text": .text(instruction)]))
    }
    return result
  }

  private func instruction(_ concept: JSONValue) -> String? {
    if let known = Lexicon.entry(concept, in: Lexicon.instructions) {
      return localizer.text("lexicon.instruction", ["instruction": .text(known)])
    }
    return concept.words.map { localizer.text("dosage.instruction", ["text": .text($0)]) }
  }

  /// Returns the sender's whole text if something could not be expressed or the text says something else.
  ///
  /// - Parameter areRepeated: true if the elements state both amount and time; otherwise the text may be the
  ///   only place that states them.
  mutating func theSendersWords(areRepeated: Bool) -> [String] {
    guard let text = dosage.text else { return [] }
    let unvoiced = elements.unvoiced
    guard unvoiced.contains("text") else { return [] }
    // It does not matter to the person if a dose was ordered or calculated.
    let isComplete = unvoiced.allSatisfy { $0 == "text" || $0 == "doseAndRate.type" }
    if isComplete, areRepeated, TextComparison.differences(in: text, from: dosage).isEmpty {
      return []
    }
    elements.voice(.dosage, "text")
    return [localizer.text("dosage.prescriber-words", ["text": .text(text)])]
  }
}
