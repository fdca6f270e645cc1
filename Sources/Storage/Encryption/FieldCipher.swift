// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// Encrypts single fields with AES-256-GCM, bound to the place where they are stored.
///
/// A sealed field is a version byte, the length and text of the key id, the nonce, the cipher text
/// and its tag. The context, `table:row:column`, is authenticated, so that a field copied into
/// another row or column does not open.
package struct FieldCipher: Sendable {
  private static let version: UInt8 = 1
  private let keys: KeyRing

  package init(keys: KeyRing) {
    self.keys = keys
  }

  package func seal(_ text: String, context: String) throws(StorageError) -> [UInt8] {
    let key = keys.fields.current
    let header = [Self.version, UInt8(truncatingIfNeeded: key.id.utf8.count)] + Array(key.id.utf8)
    // The nonce is drawn by the cipher itself: a nonce from outside could repeat and break it.
    guard
      let combined = try? AES.GCM.seal(
        Array(text.utf8), using: key.secret,
        authenticating: authenticated(header, context)
      ).combined
    else { throw .decryptionFailed }
    return header + combined
  }

  /// Throws ``StorageError/decryptionFailed`` when the field was changed, cut or moved.
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

  /// A keyed hash by which an encrypted field can be looked up for equality.
  ///
  /// Equal texts in the same context give equal bytes; callers normalise the text first.
  package func blindIndex(_ text: String, context: String) -> [UInt8] {
    var mac = HMAC<SHA256>(key: keys.blindIndex.current.secret)
    mac.update(data: Array(context.utf8) + [0])
    mac.update(data: Array(text.utf8))
    return Array(mac.finalize())
  }

  private func authenticated(_ header: [UInt8], _ context: String) -> [UInt8] {
    header + Array(context.utf8)
  }
}
