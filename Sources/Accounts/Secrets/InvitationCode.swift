// SPDX-License-Identifier: Apache-2.0

import Storage

/// The code of an invitation: read aloud, typed, or carried in a link.
///
/// It has 60 random bits, is valid for a week and for one account, and attempts are rate-limited.
package struct InvitationCode: Sendable, Hashable {
  /// The code in upper case, without dashes.
  let folded: String

  /// Creates a new random code.
  package init(random: RandomBytes) {
    folded = String(random(Self.length).map { Self.alphabet[Int($0) % Self.alphabet.count] })
  }

  /// Creates a code from what was typed, with or without dashes and in any case; nil if it cannot
  /// be a code.
  package init?(typed: String) {
    guard typed.utf8.count <= 64 else { return nil }
    let letters = typed.uppercased().filter { $0.isLetter || $0.isNumber }
    guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else {
      return nil
    }
    folded = letters
  }

  /// The code in groups of four, such as `K7QM-2XPA-9RTD`.
  package var text: String {
    stride(from: 0, to: folded.count, by: 4)
      .map { String(folded.dropFirst($0).prefix(4)) }
      .joined(separator: "-")
  }

  private static let length = 12
  // Excludes letters and digits that look alike.
  private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
}
