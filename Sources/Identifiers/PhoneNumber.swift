// SPDX-License-Identifier: Apache-2.0

/// A phone number in the international form of E.164: a plus sign and its digits.
package struct PhoneNumber: Sendable, Hashable {
  /// The number as it is stored and dialled, such as `+4790012345`.
  package let text: String

  /// Creates a number of 8 to 15 digits from text as people write it: with spaces, dots, dashes and brackets,
  /// after `+` or `00`.
  ///
  /// The result is nil for any other text, because only a number with a country code works everywhere.
  package init?(_ typed: String) {
    self.init(typed, digits: 8...15)
  }

  /// Creates a number of 7 to 15 digits from text that may be stored already: 7 digits were accepted in
  /// earlier versions.
  package init?(known typed: String) {
    self.init(typed, digits: 7...15)
  }

  private init?(_ typed: String, digits allowed: ClosedRange<Int>) {
    var digits = ""
    var hasPlus = false
    for scalar in typed.unicodeScalars {
      switch scalar {
      case "+" where digits.isEmpty && !hasPlus: hasPlus = true
      case "0"..."9": digits.unicodeScalars.append(scalar)
      case " ", "-", ".", "(", ")", "/", "\u{A0}", "\u{2011}", "\u{2013}": continue
      default: return nil
      }
    }
    if !hasPlus, digits.hasPrefix("00") {
      digits.removeFirst(2)
      hasPlus = true
    }
    guard hasPlus, allowed.contains(digits.utf8.count), digits.first != "0" else { return nil }
    text = "+\(digits)"
  }

  /// The digits without the plus sign.
  package var digits: String { String(text.dropFirst()) }

  /// The last two digits, by which the owner recognises the number.
  package var masked: String { "…\(text.suffix(2))" }
}
