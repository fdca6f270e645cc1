// SPDX-License-Identifier: Apache-2.0
import FHIR
import Instructions
import Localization
import Testing

@Suite("Golden sentences") struct GoldenTests {
  private static let all: [(DosageForm, SentenceLanguage)] = DosageForm.allCases
    .flatMap { form in SentenceLanguage.allCases.map { (form, $0) } }

  @Test("word for word", arguments: all)
  func golden(form: DosageForm, language: SentenceLanguage) throws {
    let structures = try GoldenFiles.structures()
    #expect(structures.count >= 120)
    let said = structures.map { structure in
      let sentence = DosageWriter.sentence(
        for: structure.dosages, form: form, language: language)
      return "\(structure.name): \(sentence.text)"
    }
    let name = GoldenFiles.fileName(form, language)
    if GoldenFiles.isRecording { try GoldenFiles.write(said, to: name) }
    let expected = try GoldenFiles.lines(of: name)
    #expect(said.count == expected.count)
    for (said, expected) in zip(said, expected) { #expect(said == expected) }
  }

  @Test("the golden structures have only intended omissions")
  func unvoiced() throws {
    let meant: [String: [String]] = [
      "times-disagree": ["timing.repeat.frequency"],
      "when-fewer": ["timing.repeat.frequency"],
      "dose-two-kinds": ["doseAndRate.type"],
      "text-agrees": ["text"],
      "text-unvoiced": ["timing.extension"],
    ]
    for language in SentenceLanguage.allCases {
      for structure in try GoldenFiles.structures() {
        let sentence = DosageWriter.sentence(
          for: structure.dosages, form: .patient, language: language)
        #expect(sentence.unvoiced == meant[structure.name] ?? [], "\(language) \(structure.name)")
        #expect(sentence.refusals.isEmpty, "\(language) \(structure.name)")
        let mismatches = structure.name == "text-mismatch" ? ["text: 09:00", "text: 4"] : []
        #expect(sentence.mismatches == mismatches, "\(language) \(structure.name)")
      }
    }
  }
}
