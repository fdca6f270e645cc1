// SPDX-License-Identifier: Apache-2.0

import Foundation
import Secrecy

/// The rules for a new password: long rather than complicated (NIST SP 800-63B-4, section 3.1.1).
package struct PasswordRules: Sendable {
  /// The minimum length of a password, in characters.
  package let minimum: Int
  /// The maximum length of a password, in characters.
  package let maximum = 256

  /// Creates rules; by default for a password that is the only factor.
  package init(minimum: Int = 15) {
    self.minimum = minimum
  }

  /// Returns true if a password is too short to be the only factor.
  package static func isShort(_ password: String) -> Bool {
    password.precomposedStringWithCanonicalMapping.count < PasswordRules().minimum
  }

  /// Checks a new password against the rules; `context` contains words that an attacker would try first, such
  /// as the owner's name.
  package func check(_ password: String, context: [String]) throws(AccountError) {
    let normalised = password.precomposedStringWithCanonicalMapping
    guard normalised.count >= minimum else { throw .passwordTooShort(minimum: minimum) }
    guard normalised.count <= maximum else { throw .passwordTooLong(maximum: maximum) }
    let folded = normalised.lowercased()
    guard Set(normalised).count >= 5, !Self.isCommon(folded),
      !CommonPasswords.contains(digest: Fingerprint.digest(of: Array(folded.utf8)))
    else { throw .passwordCommon }
    for word in context.map({ $0.lowercased() }) where word.count >= 4 {
      // Rejects passwords that are little more than the name of the owner or the program.
      if folded.replacingOccurrences(of: word, with: "").count < 6 {
        throw .passwordContainsContext
      }
    }
  }
}

extension PasswordRules {
  /// Common words, which are no better with digits, signs and repeats around them.
  private static let commonWords: Set<String> = [
    "password", "passwort", "passord", "parola", "sifre", "qwerty", "qwertz", "qwertyuiop",
    "asdfgh", "asdfghjkl", "zxcvbn", "zxcvbnm", "abc", "abcd", "abcdef", "abcdefgh", "letmein",
    "iloveyou", "welcome", "willkommen", "velkommen", "admin", "administrator", "changeme",
    "secret", "geheim", "hemmelig", "default", "login", "master", "monkey", "dragon", "football",
    "baseball", "sunshine", "princess", "hallo", "hello", "test", "medicine", "medicines",
    "medikament", "medisin", "ilac",
  ]

  /// Returns true if a password is only a well-known word, once or repeatedly, and decoration.
  private static func isCommon(_ folded: String) -> Bool {
    let letters = folded.filter(\.isLetter)
    guard !letters.isEmpty else { return isSequence(folded) }
    return commonWords.contains { word in
      letters.count % word.count == 0
        && letters == String(repeating: word, count: letters.count / word.count)
    }
  }

  /// Returns true for digits that count up, count down or repeat.
  private static func isSequence(_ text: String) -> Bool {
    let digits = text.compactMap(\.wholeNumberValue)
    guard digits.count >= 6 else { return true }
    let steps = Set(zip(digits, digits.dropFirst()).map { ($1 - $0 + 10) % 10 })
    return steps.count <= 1
  }
}
