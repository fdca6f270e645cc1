// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// The name for signing in: an e-mail address or a phone number.
package struct SignInName: Sendable, Hashable {
  /// The name as it is shown.
  package let text: String
  /// The name in the form for comparison and look-up.
  package let folded: String
  /// True for a phone number.
  package let isPhone: Bool

  /// Creates the name of an account that may already exist: text with an at sign is an address, other text
  /// with a digit is a number.
  package init(_ typed: String) throws(AccountError) {
    try self.init(typed) { PhoneNumber(known: $0) }
  }

  /// Creates the name of a new account; a number must be long enough for one.
  package init(new typed: String) throws(AccountError) {
    try self.init(typed) { PhoneNumber($0) }
  }

  private init(
    _ typed: String, number read: (String) -> PhoneNumber?
  ) throws(AccountError) {
    let hasDigit = typed.unicodeScalars.contains { ("0"..."9").contains($0) }
    if hasDigit, !typed.contains("@") {
      guard let number = read(typed) else { throw .phoneMalformed }
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

  /// Creates a name from an address that was checked.
  package init(_ email: EmailAddress) {
    text = email.text
    folded = email.folded
    isPhone = false
  }
}

extension Account {
  /// True if the account signs in with a phone number.
  package var isByPhone: Bool { email.hasPrefix("+") && !email.contains("@") }
}
