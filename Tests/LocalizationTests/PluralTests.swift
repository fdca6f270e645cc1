// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Localization

@Suite("Plural classes") struct PluralTests {
  /// Returns ICU's results, written by Scripts/plural-classes.py.
  private func classes() throws -> [[Substring]] {
    let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "plural-classes.txt")
    return try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ") }
  }

  @Test("every number has the same plural class as in ICU")
  func agreesWithICU() throws {
    var languages: Set<SentenceLanguage> = []
    for line in try classes() {
      try #require(line.count == 3)
      let language = try #require(SentenceLanguage(rawValue: String(line[0])))
      let number = try #require(PlainNumber(text: String(line[1])))
      #expect(PluralCategory(of: number, in: language).rawValue == line[2], "\(line)")
      languages.insert(language)
    }
    #expect(languages.count == SentenceLanguage.allCases.count)
  }

  @Test("a message has no class that its language never uses", arguments: SentenceLanguage.allCases)
  func hasNoStrangeClass(language: SentenceLanguage) throws {
    let used = Set(try classes().filter { $0[0] == language.rawValue }.map { String($0[2]) })
    for (key, message) in Catalogue.of(language).messages {
      #expect(classes(in: message.parts).subtracting(used).isEmpty, "\(language.tag) \(key)")
    }
  }

  private func classes(in parts: [Message.Part]) -> Set<String> {
    var result: Set<String> = ["other"]
    for part in parts {
      switch part {
      case .text, .argument: continue
      case .plural(_, let cases):
        for one in cases {
          if case .category(let category) = one.selector { result.insert(category.rawValue) }
          result.formUnion(classes(in: one.parts))
        }
      case .select(_, let cases): for one in cases { result.formUnion(classes(in: one.parts)) }
      }
    }
    return result.subtracting(["other"])
  }
}
