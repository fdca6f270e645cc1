// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a new password must be: long rather than complicated (NIST SP 800-63B-4, section 3.1.1).
package struct PasswordRules: Sendable {
  /// Characters that a password needs while it is the only factor.
  package let minimum: Int
  package let maximum = 256

  package init(minimum: Int = 15) {
    self.minimum = minimum
  }

  /// Checks a new password against the rules; context is what an attacker would try first.
  package func check(_ password: String, context: [String]) throws(AccountError) {
    let normalised = password.precomposedStringWithCanonicalMapping
    guard normalised.count >= minimum else { throw .passwordTooShort(minimum: minimum) }
    guard normalised.count <= maximum else { throw .passwordTooLong(maximum: maximum) }
    guard Set(normalised).count >= 5 else { throw .passwordCommon }
    let folded = normalised.lowercased()
    for word in context.map({ $0.lowercased() }) where word.count >= 4 {
      // A password that is little more than the name of its owner or of the program.
      if folded.replacingOccurrences(of: word, with: "").count < 6 {
        throw .passwordContainsContext
      }
    }
  }
}

/// An e-mail address as far as it can be judged without sending to it.
package struct EmailAddress: Sendable, Hashable {
  /// As typed, without surrounding blanks.
  package let text: String
  /// For comparison and look-up.
  package let folded: String

  package init(_ typed: String) throws(AccountError) {
    let trimmed = typed.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty else { throw .emailMissing }
    let parts = trimmed.split(separator: "@", omittingEmptySubsequences: false)
    let isPlain = trimmed.unicodeScalars.allSatisfy { scalar in
      !scalar.properties.isWhitespace && scalar.value >= 0x20 && scalar.value != 0x7F
        && !"<>,;:\"()[]\\".unicodeScalars.contains(scalar)
    }
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, isPlain,
      trimmed.utf8.count <= 254, !parts[1].hasPrefix("."), !parts[1].hasSuffix("."),
      !parts[1].contains("..")
    else { throw .emailMalformed }
    text = trimmed
    folded = trimmed.precomposedStringWithCanonicalMapping.lowercased()
  }
}
