// SPDX-License-Identifier: Apache-2.0
import Crypto

/// Encryption of a push message for one browser: RFC 8291 over one record of RFC 8188.
package enum WebPushEncryption {
  /// The random values of one message, which must never be used for another one.
  package struct Ephemeral: Sendable {
    let salt: [UInt8]
    let privateKey: P256.KeyAgreement.PrivateKey

    /// Creates the values from a salt of 16 bytes and a private key of 32 bytes; nil for any
    /// others.
    package init?(salt: [UInt8], privateKey: [UInt8]) {
      guard salt.count == 16,
        let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey)
      else { return nil }
      self.salt = salt
      self.privateKey = key
    }

    /// Returns new values from a cryptographic source of random bytes.
    ///
    /// Random bytes are a valid key unless they exceed the order, which happens once in 2^32 times. That is
    /// faster than the library's own way, which tests each key with a signature.
    package static func fresh(
      random: (_ count: Int) -> [UInt8]
    ) throws(WebPushEncryptionError) -> Ephemeral {
      for _ in 0..<8 {
        if let ephemeral = Ephemeral(salt: random(16), privateKey: random(32)) { return ephemeral }
      }
      throw .noRandomness
    }
  }

  /// The largest plaintext that fits a body of 4096 bytes, which every push service accepts (RFC 8030).
  package static let maximumPlaintext =
    4096 - EncryptedContent.headerSize(keyNameSize: 65) - EncryptedContent.overhead

  private static let information = Array("WebPush: info\0".utf8)

  /// Returns the body of a push request with `Content-Encoding: aes128gcm`.
  ///
  /// Throws if the plaintext is too long.
  package static func encrypt(
    _ plaintext: [UInt8], to keys: PushKeys, ephemeral: Ephemeral
  ) throws(WebPushEncryptionError) -> [UInt8] {
    guard plaintext.count <= maximumPlaintext else { throw .tooLong }
    let ownPublicKey = Array(ephemeral.privateKey.publicKey.x963Representation)
    do {
      let shared = try ephemeral.privateKey.sharedSecretFromKeyAgreement(with: keys.agreementKey)
      // HKDF of RFC 8291 section 3.4, which binds both public keys to the result.
      let secret = shared.withUnsafeBytes { bytes in
        var code = HMAC<SHA256>(key: SymmetricKey(data: keys.secret))
        code.update(data: bytes)
        return SymmetricKey(data: code.finalize())
      }
      var context = information
      context.reserveCapacity(information.count + 65 + 65 + 1)
      context += keys.publicKey
      context += ownPublicKey
      context.append(1)
      let inputKey = HMAC<SHA256>.authenticationCode(for: context, using: secret)
      return try EncryptedContent.encrypt(
        plaintext, inputKey: inputKey, salt: ephemeral.salt, keyName: ownPublicKey)
    } catch {
      throw .refused
    }
  }
}

/// A reason why a message cannot be encrypted.
package enum WebPushEncryptionError: Error, Sendable, Hashable {
  /// The message is longer than ``WebPushEncryption/maximumPlaintext``.
  case tooLong
  /// The source of random bytes gave no usable key.
  case noRandomness
  /// The library rejected the keys.
  case refused
}
