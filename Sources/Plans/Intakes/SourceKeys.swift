// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The names under which a resource's own system knows it.
package struct SourceKeys: Sendable, Hashable {
  /// What it is recognised by.
  package let first: String
  package let others: [String]
  /// Whether the first is an id alone, which another system may have given to something else.
  package let isWeak: Bool

  package var all: [String] { [first] + others }

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
