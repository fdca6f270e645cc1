// SPDX-License-Identifier: Apache-2.0

/// Finds repeated property names while an object is read, in linear time even for huge objects.
struct JSONNameSet {
  /// A name compared by its bytes: Swift's `==` would treat two encodings of an accent as one name.
  private struct ExactName: Hashable {
    let text: String

    static func == (left: ExactName, right: ExactName) -> Bool {
      left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
      for byte in text.utf8 { hasher.combine(byte) }
    }
  }

  private static let smallObject = 32
  private var signatures: UInt64 = 0
  private var names: Set<ExactName> = []

  /// Adds a name and returns true if it is new among the entries read so far.
  ///
  /// The lowest six bits of the hash of the name's bytes select one bit of 64, which rules out most
  /// comparisons.
  mutating func insert(_ key: String, hash: UInt, into entries: [JSONObject.Entry]) -> Bool {
    if entries.count >= Self.smallObject {
      if names.isEmpty { names = Set(entries.map { ExactName(text: $0.key) }) }
      return names.insert(ExactName(text: key)).inserted
    }
    let signature: UInt64 = 1 << UInt64(hash & 63)
    defer { signatures |= signature }
    if signatures & signature == 0 { return true }
    for entry in entries where entry.key == key {
      if entry.key.utf8.elementsEqual(key.utf8) { return false }
    }
    return true
  }
}
