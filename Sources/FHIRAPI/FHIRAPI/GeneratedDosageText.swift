// SPDX-License-Identifier: Apache-2.0

import FHIR
import Instructions
import Localization

/// Generated text for dosages of a MedicationRequest that have none.
///
/// It is added only if the client asks for a supported language; otherwise resources are returned
/// as posted. Generated text is marked, is never stored, and is removed when a client sends it
/// back.
enum GeneratedDosageText {
  /// The extension that marks a text, on `_text`; its `valueCode` is the language.
  static let mark = "urn:regimen:generated-text"

  /// Returns the resource with the missing texts; nil if there are none to add.
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

  /// Returns a sentence for a whole dosage; nil if it has a text or cannot be expressed completely.
  private static func text(of dosage: JSONValue, in language: SentenceLanguage) -> String? {
    guard dosage.object?.isEmpty == false, dosage["text"] == nil, dosage["_text"] == nil else {
      return nil
    }
    let sentence = DosageWriter.sentence(
      for: [DosageView(dosage)], form: .patient, language: language)
    // The person need not know whether a dose was ordered or calculated.
    let isWhole = sentence.unvoiced.allSatisfy { $0 == "doseAndRate.type" }
    return isWhole && sentence.refusals.isEmpty ? sentence.text : nil
  }

  /// Returns a client's resource without the texts that were generated here.
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
