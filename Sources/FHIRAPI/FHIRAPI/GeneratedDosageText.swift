// SPDX-License-Identifier: Apache-2.0

import FHIR
import Instructions
import Localization

/// Dosages of a MedicationRequest that have no text, handed out with one.
///
/// Only where the client names a language that there are sentences in: what was posted is handed out
/// as it was posted. What is generated is marked, is never stored, and is taken out again when a
/// client sends it back.
enum GeneratedDosageText {
  /// The extension that marks a text, on `_text`; its `valueCode` is the language.
  static let mark = "urn:regimen:generated-text"

  /// The resource with the texts that it lacks; nil where there is none to add.
  static func added(to body: String, in language: SentenceLanguage) -> [UInt8]? {
    guard var resource = try? JSONValue(parsing: Array(body.utf8)),
      let dosages = resource["dosageInstruction"]?.array
    else { return nil }
    let written = dosages.map { Self.text(of: $0, in: language) }
    guard written.contains(where: { $0 != nil }) else { return nil }
    let marking: JSONValue = [
      "extension": [["url": .string(mark), "valueCode": .string(language.tag)]]
    ]
    resource["dosageInstruction"] = .array(
      zip(dosages, written).map { dosage, text in
        guard let text else { return dosage }
        var dosage = dosage
        dosage["text"] = .string(text)
        dosage["_text"] = marking
        return dosage
      })
    return resource.bytes
  }

  /// A sentence that says the whole of a dosage; nil where it has a text or not all can be said.
  private static func text(of dosage: JSONValue, in language: SentenceLanguage) -> String? {
    guard dosage.object?.isEmpty == false, dosage["text"] == nil, dosage["_text"] == nil else {
      return nil
    }
    let sentence = DosageWriter.sentence(
      for: [DosageView(dosage)], form: .patient, language: language)
    // Whether a dose was ordered or calculated changes nothing for the person.
    let isWhole = sentence.unvoiced.allSatisfy { $0 == "doseAndRate.type" }
    return isWhole && sentence.refusals.isEmpty ? sentence.text : nil
  }

  /// A resource that a client sends, without the texts that were generated here.
  static func removed(from resource: JSONValue) -> JSONValue {
    guard let dosages = resource["dosageInstruction"]?.array, dosages.contains(where: isMarked)
    else { return resource }
    var resource = resource
    resource["dosageInstruction"] = .array(
      dosages.map { dosage in
        guard isMarked(dosage) else { return dosage }
        var dosage = dosage
        dosage["text"] = nil
        dosage["_text"] = nil
        return dosage
      })
    return resource
  }

  private static func isMarked(_ dosage: JSONValue) -> Bool {
    dosage["_text"]?["extension"]?.array?.contains { $0["url"]?.string == mark } ?? false
  }
}
