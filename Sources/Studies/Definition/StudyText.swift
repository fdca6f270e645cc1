// SPDX-License-Identifier: Apache-2.0

import Localization

/// A text of a study in each of its languages.
package struct StudyText: Sendable, Hashable {
  private let texts: [Language: String]

  /// Creates a text from its translations.
  package init(_ texts: [Language: String]) {
    self.texts = texts
  }

  /// Returns the text in a language; if the study does not have it, in English or in any other.
  package func text(in language: Language) -> String {
    if let text = texts[language] ?? texts[.en] { return text }
    return Language.allCases.lazy.compactMap { texts[$0] }.first ?? ""
  }

  /// Returns the paragraphs of the text, which empty lines separate.
  package func paragraphs(in language: Language) -> [String] {
    text(in: language).split(separator: "\n\n").map(String.init)
  }
}
