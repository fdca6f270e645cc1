// SPDX-License-Identifier: Apache-2.0

/// A phone number in the international form of E.164: a plus and 8 to 15 digits.
package struct PhoneNumber: Sendable, Hashable {
  package let text: String

  /// Reads a number as people write it, with blanks, hyphens, dots and brackets, after `+` or `00`.
  package init?(_ typed: String) {
    var digits = ""
    for character in typed {
      switch character {
      case "0"..."9": digits.append(character)
      case "+" where digits.isEmpty: digits = "+"
      case " ", "-", ".", "(", ")", "/", "\u{A0}": continue
      default: return nil
      }
    }
    if digits.hasPrefix("00") { digits = "+" + digits.dropFirst(2) }
    guard digits.hasPrefix("+"), (9...16).contains(digits.utf8.count),
      !digits.hasPrefix("+0")
    else { return nil }
    text = digits
  }

  /// The digits alone.
  package var digits: String { String(text.dropFirst()) }

  /// Its last two digits, by which its owner knows it.
  package var masked: String { "…\(text.suffix(2))" }
}
