// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Localization

@Suite("Catalogues") struct CatalogueTests {
  @Test("every message parses", arguments: SentenceLanguage.allCases)
  func hasNoFaults(language: SentenceLanguage) {
    #expect(Catalogue.of(language).faults.map(\.description) == [])
    #expect(!Catalogue.of(language).messages.isEmpty)
  }

  /// Returns true for keys needed by a language with sentences but no interface.
  private func isOfSentences(_ key: String) -> Bool {
    key.hasPrefix("dosage.") || key.hasPrefix("lexicon.") || key.hasPrefix("lists.")
      || key.hasPrefix("units.") && key.hasSuffix(".amount")
      || [
        "calendar.date-medium", "calendar.month-of-year", "calendar.month-long",
        "calendar.weekday-long", "calendar.weekday-short",
      ].contains(key)
  }

  @Test("every language has the same keys", arguments: SentenceLanguage.allCases)
  func hasSameKeys(language: SentenceLanguage) {
    let all = Set(Catalogue.of(.en).messages.keys)
    let english = language.interface == nil ? all.filter(isOfSentences) : all
    let keys = Set(Catalogue.of(language).messages.keys)
    #expect(english.subtracting(keys).sorted() == [], "missing in \(language.tag)")
    #expect(keys.subtracting(english).sorted() == [], "only in \(language.tag)")
  }

  @Test(
    "every language puts the same arguments into a message", arguments: SentenceLanguage.allCases)
  func hasSameArguments(language: SentenceLanguage) {
    let english = Catalogue.of(.en).messages
    for (key, message) in Catalogue.of(language).messages {
      guard let original = english[key] else { continue }
      #expect(
        message.argumentNames.sorted() == original.argumentNames.sorted(),
        "\(language.tag) \(key)")
    }
  }

  @Test(
    "every language has words for the same codes and units of time",
    arguments: SentenceLanguage.allCases)
  func hasSameBranches(language: SentenceLanguage) {
    let english = Catalogue.of(.en).messages
    for (key, message) in Catalogue.of(language).messages where key.hasPrefix("lexicon.") {
      #expect(branches(of: message) == english[key].map(branches), "\(language.tag) \(key)")
    }
    for key in ["dosage.event", "dosage.event-offset", "dosage.span", "dosage.within"] {
      let message = Catalogue.of(language).messages[key]
      #expect(message.map(branches) == english[key].map(branches), "\(language.tag) \(key)")
    }
  }

  /// Returns the branches of the outermost selects.
  private func branches(of message: Message) -> [String] {
    message.parts.flatMap { part -> [String] in
      if case .select(_, let cases) = part { cases.map(\.value).sorted() } else { [] }
    }
  }

  @Test("keys with the same first word are in one file, the same in every language")
  func standsInOneFile() {
    var files: [Substring: Set<String>] = [:]
    for language in SentenceLanguage.allCases {
      for (key, file) in Catalogue.of(language).features {
        files[key.prefix { $0 != "." }, default: []].insert(file)
      }
    }
    #expect(files.filter { $0.value.count > 1 }.map { "\($0.key): \($0.value)" } == [])
  }

  @Test(
    "no message is empty, or has two spaces or a straight quotation mark",
    arguments: SentenceLanguage.allCases)
  func isWellSet(language: SentenceLanguage) {
    for (key, message) in Catalogue.of(language).messages {
      #expect(message != Message(parts: []), "\(language.tag) \(key)")
      for text in texts(in: message.parts) {
        #expect(!text.contains("  "), "\(language.tag) \(key)")
        #expect(!text.contains("\""), "\(language.tag) \(key)")
      }
    }
  }

  private func texts(in parts: [Message.Part]) -> [String] {
    parts.flatMap { part in
      switch part {
      case .text(let text): [text]
      case .argument: [String]()
      case .plural(_, let cases): cases.flatMap { texts(in: $0.parts) }
      case .select(_, let cases): cases.flatMap { texts(in: $0.parts) }
      }
    }
  }
}
