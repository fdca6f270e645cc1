// SPDX-License-Identifier: Apache-2.0
import FHIR

/// Texts as the index stores them, so that the key of a row never exceeds its largest size.
///
/// A search changes its own values in the same way before it compares them.
enum RecordIndexText {
  /// The largest number of characters of a name or text that a search compares.
  static let longestString = SearchFolding.longestText
  /// The largest number of bytes of a code, a system or an address.
  static let longestToken = 1_000
  /// The largest number of bytes of the system, code or name of a unit.
  static let longestUnit = 500
  /// The largest number of bytes of a text as it is written, next to the form in which it is compared.
  static let longestExact = 250
  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  /// Returns the start of a name or text.
  static func string(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < longestString else { break }
      scalars.append(stored(scalar))
      count += 1
    }
    return String(scalars)
  }

  /// Returns true if a search value is longer than what the index stores of a text.
  static func isTooLong(_ text: String) -> Bool {
    text.unicodeScalars.count > longestString
  }

  /// Returns a code, a system or an address; a very long one is shortened to its start and a digest.
  static func token(_ whole: String, longest: Int = longestToken) -> String {
    let text = SearchFolding.cut(whole)
    guard needsChange(text, longest: longest) else { return text }
    var scalars = String.UnicodeScalarView()
    var bytes = 0
    let isShortened = text.utf8.count > longest
    for scalar in text.unicodeScalars {
      let kept = stored(scalar)
      bytes += UTF8.width(kept)
      if isShortened, bytes > longest - 20 { break }
      scalars.append(kept)
    }
    guard isShortened else { return String(scalars) }
    return String(scalars) + "…" + String(digest(of: text), radix: 16)
  }

  /// Returns the system, code or name of a unit.
  static func unit(_ text: String) -> String { token(text, longest: longestUnit) }

  /// Returns a text as it is written, to tell apart texts that differ only in case, accents and spaces.
  static func exact(_ text: String) -> String { token(text, longest: longestExact) }

  /// Returns the first text, in the order of the database, after all that start with a text; nil if there is none.
  static func end(ofPrefix text: String) -> String? {
    var scalars = Array(text.unicodeScalars)
    while let last = scalars.popLast() {
      // No text of the index contains the last character of Unicode.
      guard last.value < 0x10FFFF else { continue }
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var end = String.UnicodeScalarView()
      end.append(contentsOf: scalars)
      end.append(scalar)
      return String(end)
    }
    return nil
  }

  /// Returns a pattern of `LIKE … ESCAPE '!'` for texts that contain a text.
  static func containing(_ text: String) -> String {
    var pattern = "%"
    for character in text.unicodeScalars {
      if character == "%" || character == "_" || character == "!" { pattern += "!" }
      pattern.unicodeScalars.append(character)
    }
    return pattern + "%"
  }

  private static func needsChange(_ text: String, longest: Int) -> Bool {
    text.utf8.count > longest || text.utf8.contains { $0 == 0 || $0 == 0xF4 }
  }

  /// Returns a character in its place in the index: not one that PostgreSQL stores as two.
  private static func stored(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar.value == 0 || scalar.value == 0x10FFFF ? replacement : scalar
  }

  /// The FNV-1a digest, which is stable over starts.
  private static func digest(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
