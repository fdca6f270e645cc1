// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An e-mail address, checked as far as possible without sending to it.
package struct EmailAddress: Sendable, Hashable {
  /// The address as typed, without surrounding spaces.
  package let text: String
  /// The address in lower case and composed form, for comparison and look-up.
  package let folded: String

  /// Creates an address from what was typed: one at sign, no spaces or quotes, at most 254 bytes.
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
