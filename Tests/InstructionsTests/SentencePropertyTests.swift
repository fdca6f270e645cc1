// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Localization
import Testing
import TestSupport

@testable import Instructions

@Suite("Properties of dosage sentences") struct SentencePropertyTests {
  private static let whole: [(DosageForm, SentenceLanguage)] = [DosageForm.patient, .clinical]
    .flatMap { form in SentenceLanguage.allCases.map { (form, $0) } }
  private static let all: [(DosageForm, SentenceLanguage)] = DosageForm.allCases
    .flatMap { form in SentenceLanguage.allCases.map { (form, $0) } }

  @Test("sentences contain everything that a random dosage states", arguments: whole)
  func nothingIsLost(form: DosageForm, language: SentenceLanguage) {
    var draw = SeededGenerator(seed: 20_260_301)
    for _ in 0..<400 {
      let dosage = RandomDosage(&draw)
      let sentence = DosageWriter.sentence(
        for: [DosageView(dosage.json)], form: form, language: language)
      expect(dosage, within: sentence.text, language)
      #expect(sentence.unvoiced.isEmpty, "\(sentence.unvoiced)")
      #expect(sentence.refusals.isEmpty)
      expectClean(sentence.text)
    }
  }

  @Test("several dosages all appear in the order of their numbers", arguments: whole)
  func severalDosages(form: DosageForm, language: SentenceLanguage) {
    var draw = SeededGenerator(seed: 20_261_121)
    for _ in 0..<100 {
      let count = Int.random(in: 2...4, using: &draw)
      let dosages = (0..<count).map { _ in RandomDosage(&draw) }
      let views = dosages.enumerated().map { index, dosage in
        var json = dosage.json
        json["sequence"] = .number(JSONNumber(1 + (index + 1) / 2))
        return DosageView(json)
      }
      let sentence = DosageWriter.sentence(for: views, form: form, language: language)
      for dosage in dosages { expect(dosage, within: sentence.text, language) }
      #expect(sentence.unvoiced.isEmpty)
      expectClean(sentence.text)
      let steps = views.map {
        DosageWriter.sentence(for: [$0], form: form, language: language).text
      }
      var rest = sentence.text[...]
      for step in steps {
        guard let place = rest.firstRange(of: step) else {
          Issue.record("\(step) is missing in \(sentence.text)")
          break
        }
        rest = rest[place.upperBound...]
      }
    }
  }

  @Test("a list says how much and when", arguments: SentenceLanguage.allCases)
  func short(language: SentenceLanguage) {
    var draw = SeededGenerator(seed: 20_260_401)
    let localizer = SentenceLocalizer.of(language)
    for _ in 0..<400 {
      let dosage = RandomDosage(&draw)
      let sentence = DosageWriter.sentence(
        for: [DosageView(dosage.json)], form: .short, language: language)
      for (number, unit) in dosage.units {
        #expect(sentence.text.contains(localizer.amount(number, unit)))
      }
      for time in dosage.times { #expect(sentence.text.contains(time)) }
      expectClean(sentence.text)
    }
  }

  @Test("the same dosage always gives the same clean text", arguments: all)
  func deterministic(form: DosageForm, language: SentenceLanguage) throws {
    for structure in try GoldenFiles.structures() {
      let sentence = DosageWriter.sentence(
        for: structure.dosages, form: form, language: language)
      expectClean(sentence.text)
      let again = DosageWriter.sentence(
        for: structure.dosages.map { DosageView($0.json) }, form: form, language: language)
      #expect(again == sentence)
    }
  }

  private func expect(_ dosage: RandomDosage, within words: String, _ language: SentenceLanguage) {
    let localizer = SentenceLocalizer.of(language)
    // Turkish İ would become two characters.
    let text = words.replacing("İ", with: "i").lowercased()
    func holds(_ part: String) {
      #expect(text.contains(part.lowercased()), "\(part) in \(words)")
    }
    for number in dosage.numbers { holds(localizer.number(number)) }
    for (number, unit) in dosage.units { holds(localizer.amount(number, unit)) }
    for day in dosage.weekdays { holds(localizer.weekday(day)) }
    for time in dosage.times { holds(time) }
    for event in dosage.events {
      guard let offset = dosage.offset else {
        holds(localizer.text("dosage.event", ["event": .text(event)]))
        continue
      }
      let span = localizer.text("dosage.span", ["n": .number(offset), "unit": "min"])
      holds(
        localizer.text("dosage.event-offset", ["event": .text(event), "offset": .text(span)]))
    }
    for reason in dosage.reasons {
      holds(localizer.text("lexicon.reason", ["reason": .text(reason)]))
    }
  }

  private func expectClean(_ text: String) {
    #expect(!text.contains("  "))
    #expect(!text.contains("{"))
    #expect(text.first != " " && text.last != " ")
    #expect(!DigitCheck.isAmbiguous(text), "\(text)")
  }

  @Test("other languages contain no English outside quotes", arguments: all)
  func noEnglish(form: DosageForm, language: SentenceLanguage) throws {
    if language == .en { return }
    // Words that occur only in English sentences.
    let localizer = SentenceLocalizer.of(language)
    // Turkish abbreviates Thursday to "Per".
    let weekdays = (1...7).flatMap { Self.split(localizer.weekday($0, .short)) }
    let english = Self.words(of: .en).subtracting(Self.words(of: language))
      .subtracting(weekdays).filter { $0.utf8.count > 2 }
    #expect(english.count > 100)
    for structure in try GoldenFiles.structures()
    where !Self.wordsOfTheSender.contains(structure.name) {
      // In a list the sender's text has no quotes.
      if form == .short, structure.dosages.contains(where: { $0.text != nil }) { continue }
      let sentence = DosageWriter.sentence(
        for: structure.dosages, form: form, language: language)
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
