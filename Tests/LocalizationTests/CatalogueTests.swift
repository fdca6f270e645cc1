// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Localization

@Suite("Catalogues") struct CatalogueTests {
  @Test("every message can be read", arguments: Language.allCases)
  func hasNoFaults(language: Language) {
    #expect(Catalogue.of(language).faults.map(\.description) == [])
    #expect(!Catalogue.of(language).messages.isEmpty)
  }

  @Test("every language has the same keys", arguments: Language.allCases)
  func hasSameKeys(language: Language) {
    let english = Set(Catalogue.of(.en).messages.keys)
    let keys = Set(Catalogue.of(language).messages.keys)
    #expect(english.subtracting(keys).sorted() == [], "missing in \(language.tag)")
    #expect(keys.subtracting(english).sorted() == [], "only in \(language.tag)")
  }

  @Test("every language puts the same arguments into a message", arguments: Language.allCases)
  func hasSameArguments(language: Language) {
    let english = Catalogue.of(.en).messages
    for (key, message) in Catalogue.of(language).messages {
      guard let original = english[key] else { continue }
      #expect(
        message.argumentNames.sorted() == original.argumentNames.sorted(),
        "\(language.tag) \(key)")
    }
  }

  @Test("keys with the same first word stand in one file, the same in every language")
  func standsInOneFile() {
    var files: [Substring: Set<String>] = [:]
    for language in Language.allCases {
      for (key, file) in Catalogue.of(language).features {
        files[key.prefix { $0 != "." }, default: []].insert(file)
      }
    }
    #expect(files.filter { $0.value.count > 1 }.map { "\($0.key): \($0.value)" } == [])
  }

  @Test(
    "no message is empty, or has two spaces or a straight quotation mark",
    arguments: Language.allCases)
  func isWellSet(language: Language) {
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
