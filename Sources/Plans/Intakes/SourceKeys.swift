// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The keys by which a resource's own system knows it.
package struct SourceKeys: Sendable, Hashable {
  /// The key by which it is recognised.
  package let first: String
  /// The other keys under which it may be known.
  package let others: [String]
  /// True if it has neither an identifier nor an address: another system may have given the same id
  /// to something else.
  package let isWeak: Bool

  /// All keys, the first one first.
  package var all: [String] { [first] + others }

  /// Creates the keys, in order of preference: identifiers, the address, `type/id`, or else a
  /// digest of the content.
  ///
  /// - Parameters:
  ///   - identifiers: each as `system|value`.
  ///   - digest: the SHA-256 of the content in hexadecimal.
  package init(
    identifiers: [String], address: String?, id: String?, type: String, digest: String
  ) {
    var keys = identifiers
    if let address { keys.append(address) }
    isWeak = keys.isEmpty
    if let id { keys.append("\(type)/\(id)") }
    if keys.isEmpty { keys.append("sha256:\(digest)") }
    first = keys[0]
    others = Array(keys.dropFirst())
  }

  /// Returns `system|value` of each identifier that has both.
  package static func identifiers(_ resource: JSONValue) -> [String] {
    (resource["identifier"]?.array ?? []).compactMap { identifier in
      guard let system = identifier["system"]?.string, let value = identifier["value"]?.string,
        !system.isEmpty, !value.isEmpty
      else { return nil }
      return "\(system)|\(value)"
    }
  }
}
