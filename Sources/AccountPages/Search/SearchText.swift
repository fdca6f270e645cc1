// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A typed search, compared without regard to case, accents and the order of its words.
struct SearchText: Sendable, Hashable {
  private let words: [String]

  /// Creates a search from typed text; a longer text is cut off.
  init(_ typed: String, longest: Int) {
    words = Self.words(of: Self.folded(String(typed.prefix(longest)))).map(String.init)
  }

  /// True if there is nothing to search for.
  var isEmpty: Bool { words.isEmpty }

  /// Returns true if every word begins a word of the text.
  ///
  /// Thai has no spaces between words, so there a match can be anywhere.
  func matches(_ text: String) -> Bool {
    guard !isEmpty else { return false }
    let folded = Self.folded(text)
    let parts = Self.words(of: folded)
    return words.allSatisfy { word in
      parts.contains { $0.hasPrefix(word) } || (Self.isThai(word) && folded.contains(word))
    }
  }

  private static func words(of text: String) -> [Substring] {
    text.split { !$0.isLetter && !$0.isNumber }
  }

  private static func isThai(_ word: String) -> Bool {
    word.unicodeScalars.contains { (0x0E00...0x0E7F).contains($0.value) }
  }

  private static func folded(_ text: String) -> String {
    // Foundation does not fold the dotless i of Turkish.
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      .replacingOccurrences(of: "ı", with: "i")
  }
}
