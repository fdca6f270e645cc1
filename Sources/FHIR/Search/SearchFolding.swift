// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The form in which texts of a search are compared.
public enum SearchFolding {
  /// The number of code points that the index keeps of a text.
  public static let longestText = 500

  /// Returns a text in lower case, without accents and with single spaces.
  ///
  /// Letters that are more than a base with an accent are spelled out as people type them: `ø` as `o`, `æ` as
  /// `ae`, `ß` as `ss`. The vowels and tones of scripts such as Thai stay, because they are not accents.
  public static func fold(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var isAfterSpace = true
    for byte in text.utf8 {
      guard byte < 0x80 else { return foldUnicode(text) }
      if isSpace(UInt32(byte)) {
        if !isAfterSpace { bytes.append(0x20) }
        isAfterSpace = true
      } else {
        bytes.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
        isAfterSpace = false
      }
    }
    if isAfterSpace, !bytes.isEmpty { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the first ``longestText`` code points of a text.
  public static func cut(_ text: String) -> String {
    guard text.utf8.count > longestText else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestText)))
  }

  private static func foldUnicode(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    var isAfterSpace = true
    let lowered = text.decomposedStringWithCompatibilityMapping.lowercased()
    for scalar in lowered.decomposedStringWithCompatibilityMapping.unicodeScalars {
      if isAccent(scalar.value) { continue }
      if isSpace(scalar.value) || scalar.properties.isWhitespace {
        if !isAfterSpace { folded.append(" ") }
        isAfterSpace = true
        continue
      }
      isAfterSpace = false
      if let spelling = spellings[scalar] {
        folded.append(contentsOf: spelling.unicodeScalars)
      } else {
        folded.append(scalar)
      }
    }
    if isAfterSpace, !folded.isEmpty { folded.removeLast() }
    return String(folded)
  }

  private static func isSpace(_ value: UInt32) -> Bool {
    value == 0x20 || (0x09...0x0D).contains(value)
  }

  /// Returns true for the combining marks of Latin, Greek and Cyrillic letters.
  private static func isAccent(_ value: UInt32) -> Bool {
    switch value {
    case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }

  private static let spellings: [Unicode.Scalar: String] = [
    "ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i",
    "ħ": "h", "ŧ": "t", "ŋ": "n", "ς": "σ",
  ]
}
