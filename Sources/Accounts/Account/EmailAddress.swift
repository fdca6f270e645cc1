// SPDX-License-Identifier: Apache-2.0

import Foundation

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
