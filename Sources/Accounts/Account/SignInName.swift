// SPDX-License-Identifier: Apache-2.0

/// A phone number in its international form.
package struct PhoneNumber: Sendable, Hashable {
  /// `+4790012345`: a plus sign and 7 to 15 digits (E.164).
  package let text: String

  /// Reads a number as people write it, with blanks, dots, dashes and brackets; 00 stands for the plus.
  ///
  /// Without the country it could be anybody's.
  package init(_ typed: String) throws(AccountError) {
    var digits = ""
    var hasPlus = false
    for scalar in typed.unicodeScalars {
      switch scalar {
      case "+" where digits.isEmpty && !hasPlus: hasPlus = true
      case "0"..."9": digits.unicodeScalars.append(scalar)
      case " ", "-", ".", "(", ")", "/", "\u{A0}", "\u{2011}", "\u{2013}": continue
      default: throw .phoneMalformed
      }
    }
    if !hasPlus, digits.hasPrefix("00") {
      digits.removeFirst(2)
      hasPlus = true
    }
    guard hasPlus, (7...15).contains(digits.count), digits.first != "0" else {
      throw .phoneMalformed
    }
    text = "+\(digits)"
  }
}

/// What somebody signs in with: an e-mail address or a phone number.
package struct SignInName: Sendable, Hashable {
  /// As it is shown.
  package let text: String
  /// For comparison and look-up.
  package let folded: String
  package let isPhone: Bool

  /// Reads what was typed: with an at sign it is an address, without one a number.
  package init(_ typed: String) throws(AccountError) {
    let hasDigit = typed.unicodeScalars.contains { ("0"..."9").contains($0) }
    if hasDigit, !typed.contains("@") {
      let number = try PhoneNumber(typed)
      text = number.text
      folded = number.text
      isPhone = true
    } else {
      let email = try EmailAddress(typed)
      text = email.text
      folded = email.folded
      isPhone = false
    }
  }

  package init(_ email: EmailAddress) {
    text = email.text
    folded = email.folded
    isPhone = false
  }
}

extension Account {
  /// Whether it is signed in to by a phone number.
  package var isByPhone: Bool { email.hasPrefix("+") && !email.contains("@") }
}
