// SPDX-License-Identifier: Apache-2.0

/// Finds repeated property names while an object is read, in time that stays linear for huge objects.
struct JSONNameSet {
  /// A name compared by its bytes: Swift's `==` would take two spellings of an accent as one name.
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

  /// Notes a name and returns whether it is new among the entries read so far.
  mutating func insert(_ key: String, into entries: [JSONObject.Entry]) -> Bool {
    if entries.count >= Self.smallObject {
      if names.isEmpty { names = Set(entries.map { ExactName(text: $0.key) }) }
      return names.insert(ExactName(text: key)).inserted
    }
    let signature = Self.signature(of: key)
    defer { signatures |= signature }
    if signatures & signature == 0 { return true }
    for entry in entries where entry.key == key {
      if entry.key.utf8.elementsEqual(key.utf8) { return false }
    }
    return true
  }

  /// One bit of 64 that equal names share; most different names do not.
  @inline(__always)
  private static func signature(of key: String) -> UInt64 {
    let utf8 = key.utf8
    let first = UInt64(utf8.first ?? 0)
    let last = UInt64(utf8.last ?? 0)
    let mixed = (first &* 31 &+ last &* 7 &+ UInt64(truncatingIfNeeded: utf8.count)) & 63
    return 1 << mixed
  }
}

/// Shares the strings of long property names, which repeat all through a FHIR document.
struct JSONKeyCache {
  /// Swift keeps up to 15 bytes inside the string itself, so shorter names need no cache.
  private static let inlineLength = 15
  private static let slots = 64
  private var texts = [String](repeating: "", count: slots)

  mutating func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.count > Self.inlineLength else { return String(decoding: bytes, as: UTF8.self) }
    let mixed = Int(bytes[0]) &* 31 &+ Int(bytes[bytes.count - 1]) &* 7 &+ bytes.count &* 3
    let slot = (mixed &+ Int(bytes[bytes.count / 2])) & (Self.slots - 1)
    let cached = texts[slot]
    if cached.utf8.count == bytes.count, cached.utf8.elementsEqual(bytes) { return cached }
    let text = String(decoding: bytes, as: UTF8.self)
    texts[slot] = text
    return text
  }
}
