// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Synchronization

/// Encrypts single fields with AES-256-GCM, bound to the place where they are stored.
///
/// An encrypted field consists of a version byte, the length and text of the key id, the nonce, the
/// ciphertext and its tag. The context, `table:row:column`, is authenticated, so that a field copied into
/// another row or column cannot be decrypted.
package struct FieldCipher: Sendable {
  private static let version: UInt8 = 1
  private let box: Box

  /// Shared by all copies of a cipher, so that a change of keys reaches each of them.
  private final class Box: Sendable {
    let ring: Mutex<KeyRing>
    let isChanging = Mutex(false)
    init(_ ring: KeyRing) { self.ring = Mutex(ring) }
  }

  /// Creates a cipher that uses the keys of a ring until they are changed.
  package init(keys: KeyRing) {
    box = Box(keys)
  }

  /// The keys that are used now.
  var keys: KeyRing { box.ring.withLock { $0 } }

  /// Uses other keys from now on.
  func adopt(_ ring: KeyRing) {
    box.ring.withLock { $0 = ring }
  }

  /// Returns true if a key rotation may begin.
  ///
  /// Only one runs at a time; otherwise two new keys would not know of each other.
  func beginChange() -> Bool {
    box.isChanging.withLock { isChanging in
      defer { isChanging = true }
      return !isChanging
    }
  }

  func endChange() {
    box.isChanging.withLock { $0 = false }
  }

  /// Encrypts a text with the current key, bound to its place `table:row:column`.
  package func seal(_ text: String, context: String) throws(StorageError) -> [UInt8] {
    let key = keys.fields.current
    let header = Self.header(of: key)
    // The cipher chooses the nonce itself: one from outside could repeat and break the encryption.
    guard
      let combined = try? AES.GCM.seal(
        Array(text.utf8), using: key.secret,
        authenticating: authenticated(header, context)
      ).combined
    else { throw .decryptionFailed }
    return header + combined
  }

  /// Decrypts a field at its place.
  ///
  /// - Throws: ``StorageError/decryptionFailed`` if the field was changed, truncated or moved, or
  ///   ``StorageError/unknownKey(id:)``.
  package func open(_ sealed: [UInt8], context: String) throws(StorageError) -> String {
    guard sealed.count > 2, sealed[0] == Self.version else { throw .decryptionFailed }
    let headerCount = 2 + Int(sealed[1])
    guard sealed.count > headerCount,
      let id = String(validating: sealed[2..<headerCount], as: UTF8.self)
    else { throw .decryptionFailed }
    guard let key = keys.fields.key(id: id) else { throw .unknownKey(id: id) }
    let header = Array(sealed[..<headerCount])
    guard let box = try? AES.GCM.SealedBox(combined: sealed[headerCount...]),
      let data = try? AES.GCM.open(
        box, using: key.secret, authenticating: authenticated(header, context)),
      let text = String(validating: data, as: UTF8.self)
    else { throw .decryptionFailed }
    return text
  }

  /// Returns a keyed hash for finding an encrypted field by equality.
  ///
  /// Equal texts in the same context give equal bytes; callers normalise the text first.
  package func blindIndex(_ text: String, context: String) -> [UInt8] {
    var mac = HMAC<SHA256>(key: keys.blindIndex.current.secret)
    mac.update(data: Array(context.utf8) + [0])
    mac.update(data: Array(text.utf8))
    return Array(mac.finalize())
  }

  /// Returns the first bytes of each field encrypted with a key.
  static func header(of key: KeyRing.Key) -> [UInt8] {
    [version, UInt8(truncatingIfNeeded: key.id.utf8.count)] + Array(key.id.utf8)
  }

  func isSealedByOlderKey(_ sealed: [UInt8]) -> Bool {
    keys.fields.older.contains { sealed.starts(with: Self.header(of: $0)) }
  }

  private func authenticated(_ header: [UInt8], _ context: String) -> [UInt8] {
    header + Array(context.utf8)
  }
}
