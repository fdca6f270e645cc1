// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings

/// Identifiers of documents and their entries, which are the same for the same names.
enum DocumentIdentity {
  /// Returns a `urn:uuid:` for some names (RFC 9562, version 8).
  static func urn(_ names: [String]) -> String {
    // No name contains this separator.
    var bytes = Array(
      Fingerprint.digest(of: Array(names.joined(separator: "\u{1F}").utf8)).prefix(16))
    bytes[6] = 0x80 | bytes[6] & 0x0F
    bytes[8] = 0x80 | bytes[8] & 0x3F
    let text = Hexadecimal.encode(bytes)
    var parts: [Substring] = []
    var rest = text[...]
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return "urn:uuid:\(parts.joined(separator: "-"))"
  }
}
