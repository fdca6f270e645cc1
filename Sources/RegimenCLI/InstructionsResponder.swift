// SPDX-License-Identifier: Apache-2.0

import FHIR
import Instructions
import Localization

/// Answers one line of `regimen instructions`.
struct InstructionsResponder: Sendable {
  let language: SentenceLanguage
  let form: DosageForm

  /// Appends the answer to a line, and a newline; nothing for a blank line.
  func answer(_ line: InputLines.Line, into output: inout [UInt8]) {
    switch line {
    case .content(let bytes):
      if bytes.contains(where: { $0 > 0x20 }) { answer(bytes, into: &output) }
    case .tooLong:
      AnsweredLine.refuse("The line may have at most \(InputLines.longest) bytes.", into: &output)
    }
  }

  private func answer(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) {
    guard let (id, value) = AnsweredLine.read(line, into: &output) else { return }
    guard let language = language(of: value) else {
      AnsweredLine.refuse("There are no sentences in this language.", id: id, into: &output)
      return
    }
    guard let dosages = Self.dosages(of: value) else {
      AnsweredLine.refuse(
        "The line needs dosage or dosages, or must be a prescription.", id: id, into: &output)
      return
    }
    do throws(DosageRefusal) {
      let sentence = try DosageWriter.checkedSentence(for: dosages, form: form, language: language)
      append(#"{"id":"#, &output)
      id.write(into: &output)
      append(#","text":"#, &output)
      JSONValue.string(sentence.text).write(into: &output)
      append(#","unvoiced":"#, &output)
      JSONValue.array(sentence.unvoiced.map { .string($0) }).write(into: &output)
      if !sentence.mismatches.isEmpty {
        append(#","mismatches":"#, &output)
        JSONValue.array(sentence.mismatches.map { .string($0) }).write(into: &output)
      }
      append("}\n", &output)
    } catch {
      AnsweredLine.refuse(error.text, id: id, into: &output)
    }
  }

  /// Returns the language of the line if it names one, else that of the command.
  private func language(of line: JSONValue) -> SentenceLanguage? {
    guard let stated = line["lang"] else { return language }
    return stated.string.flatMap { SentenceLanguage(tag: $0) }
  }

  /// Returns the dosages of a line; nil if it has none.
  static func dosages(of line: JSONValue) -> [DosageView]? {
    if line["resourceType"] != nil {
      let resource = DSTU2.isWritten(line) ? DSTU2.r4(line).resource : line
      guard resource["resourceType"]?.string == "MedicationRequest" else { return nil }
      return MedicationRequestView(resource).dosages
    }
    if let several = line["dosages"]?.array { return several.map(DosageView.init) }
    return line["dosage"].map { dosage in
      (dosage.array ?? [dosage]).map(DosageView.init)
    }
  }

  private func append(_ text: String, _ output: inout [UInt8]) {
    output.append(contentsOf: text.utf8)
  }
}
