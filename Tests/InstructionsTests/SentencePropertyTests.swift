// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization
import Testing

@testable import Instructions

@Suite("Properties of dosage sentences") struct SentencePropertyTests {
  @Test(
    "everything that a drawn dosage states is found again", arguments: SentenceLanguage.allCases)
  func nothingIsLost(language: SentenceLanguage) {
    var draw = SeededGenerator(seed: 20_260_301)
    let localizer = SentenceLocalizer.of(language)
    for _ in 0..<400 {
      let dosage = RandomDosage(&draw)
      let sentence = DosageWriter.sentence(
        for: [DosageView(dosage.json)], form: .patient, language: language)
      // Turkish İ would become two characters.
      let text = sentence.text.replacing("İ", with: "i").lowercased()
      func holds(_ words: String) {
        #expect(text.contains(words.lowercased()), "\(words) in \(sentence.text)")
      }
      for number in dosage.numbers { holds(localizer.number(number)) }
      for (number, unit) in dosage.units { holds(localizer.amount(number, unit)) }
      for day in dosage.weekdays { holds(localizer.weekday(day)) }
      for time in dosage.times { holds(time) }
      for event in dosage.events { holds(localizer.text("dosage.event", ["event": .text(event)])) }
      for reason in dosage.reasons {
        holds(localizer.text("lexicon.reason", ["reason": .text(reason)]))
      }
      #expect(sentence.unvoiced.isEmpty, "\(sentence.unvoiced)")
      #expect(!sentence.text.contains("  "))
      #expect(!sentence.text.contains("{"))
      #expect(!DigitCheck.isAmbiguous(sentence.text))
      let again = DosageWriter.sentence(
        for: [DosageView(dosage.json)], form: .patient, language: language)
      #expect(again == sentence)
    }
  }

  @Test("no English is left outside quotes", arguments: SentenceLanguage.allCases)
  func noEnglish(language: SentenceLanguage) throws {
    if language == .en { return }
    // Words that only English sentences have.
    let english = Self.words(of: .en).subtracting(Self.words(of: language))
      .filter { $0.utf8.count > 2 }
    #expect(english.count > 100)
    for structure in try GoldenFiles.structures()
    where !Self.wordsOfTheSender.contains(structure.name) {
      let sentence = DosageWriter.sentence(
        for: structure.dosages, form: .patient, language: language)
      let left = Self.split(Self.unquoted(sentence.text)).filter(english.contains)
      #expect(left.isEmpty, "\(structure.name): \(sentence.text)")
    }
  }

  /// Structures whose unit is the sender's own word.
  private static let wordsOfTheSender: Set<String> = ["unit-word"]

  private static func words(of language: SentenceLanguage) -> Set<String> {
    var result: Set<String> = []
    guard let lines = try? GoldenFiles.lines(of: GoldenFiles.fileName(.patient, language)) else {
      return []
    }
    for line in lines {
      let sentence = line.drop { $0 != ":" }.dropFirst()
      result.formUnion(split(unquoted(String(sentence))))
    }
    return result
  }

  private static func split(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter }.map(String.init)
  }

  private static func unquoted(_ text: String) -> String {
    var result = ""
    var depth = 0
    for character in text {
      switch character {
      case "“" where depth == 0, "„", "«": depth += 1
      case "”", "“", "»": depth = max(0, depth - 1)
      default: if depth == 0 { result.append(character) }
      }
    }
    return result
  }
}
