// SPDX-License-Identifier: Apache-2.0
import Crypto
import Encodings
import Foundation
import Secrecy

/// A source of unpredictable bytes, provided by the composition root.
package typealias RandomBytes = @Sendable (_ count: Int) -> [UInt8]

/// The secret keys of an installation: one each for fields, blind indexes and the audit chain.
///
/// Each has an id that is stored next to the data it protects.
package struct KeyRing: Sendable {
  enum Use: String, CaseIterable {
    case fields
    case blindIndex = "blind-index"
    case audit
  }

  /// A 256-bit secret with its id.
  struct Key: Sendable, Unprintable {
    let id: String
    let secret: SymmetricKey

    /// Creates a key; nil unless the secret has 256 bits and the id 1 to 64 bytes.
    init?(id: String, secret: [UInt8]) {
      guard secret.count == 32, (1...64).contains(id.utf8.count) else { return nil }
      self.id = id
      self.secret = SymmetricKey(data: secret)
    }
  }

  /// The keys of one purpose: the current one for new values, older ones for reading.
  struct KeySet: Sendable {
    let current: Key
    let older: [Key]

    func key(id: String) -> Key? {
      current.id == id ? current : older.first { $0.id == id }
    }
  }

  let fields: KeySet
  let blindIndex: KeySet
  let audit: KeySet

  /// Returns new keys from a random source.
  package static func generate(random: RandomBytes) throws(StorageError) -> KeyRing {
    func newKeys() throws(StorageError) -> KeySet {
      KeySet(current: try newKey(random: random), older: [])
    }
    return KeyRing(fields: try newKeys(), blindIndex: try newKeys(), audit: try newKeys())
  }

  private static func newKey(random: RandomBytes) throws(StorageError) -> Key {
    let id = Hexadecimal.encode(random(6))
    guard let key = Key(id: id, secret: random(32)) else {
      throw .keysUnusable(path: "", reason: "the random source returned too few bytes")
    }
    return key
  }

  /// Returns the keys with a new field key, and earlier ones for reading.
  func withNewFieldKey(random: RandomBytes) throws(StorageError) -> KeyRing {
    let changed = KeySet(
      current: try Self.newKey(random: random), older: fields.older + [fields.current])
    return KeyRing(fields: changed, blindIndex: blindIndex, audit: audit)
  }

  /// The keys with only the current field key.
  var withoutOlderFieldKeys: KeyRing {
    KeyRing(
      fields: KeySet(current: fields.current, older: []), blindIndex: blindIndex, audit: audit)
  }

  subscript(use: Use) -> KeySet {
    switch use {
    case .fields: fields
    case .blindIndex: blindIndex
    case .audit: audit
    }
  }
}
