// SPDX-License-Identifier: Apache-2.0
import Localization

/// The short texts of the medicines and interactions, in every language; the English one is the key.
struct Phrases: Sendable {
  private let texts: [String: [Language: String]]

  init(_ table: ContentTable, noting note: (Int, String) -> Void) {
    var texts: [String: [Language: String]] = [:]
    for row in table.rows {
      guard row.cells.count == Language.allCases.count, !row.cells.contains("") else {
        note(row.line, "expected a text in each language, in the order en, de, nb, th, tr")
        continue
      }
      let pairs = zip(Language.allCases, row.cells)
      let isNew =
        texts.updateValue(
          Dictionary(uniqueKeysWithValues: pairs), forKey: row.cells[0]) == nil
      if !isNew { note(row.line, "\(row.cells[0]) appears twice") }
    }
    self.texts = texts
  }

  func has(_ english: String) -> Bool { texts[english] != nil }

  /// Returns the phrase in a language.
  func text(_ english: String, in language: Language) -> String {
    texts[english]?[language] ?? english
  }
}
