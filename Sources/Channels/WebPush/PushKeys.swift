// SPDX-License-Identifier: Apache-2.0
import Crypto
import Encodings
import Secrecy

/// The keys of a browser's push subscription, for encrypting messages to it (RFC 8291 section 2).
package struct PushKeys: Sendable, Hashable, Unprintable {
  /// The browser's P-256 point, uncompressed: 65 bytes.
  package let publicKey: [UInt8]
  /// The authentication secret: 16 bytes.
  package let secret: [UInt8]
  let agreementKey: P256.KeyAgreement.PublicKey

  /// Creates keys from the two texts of a subscription, base64url with or without padding.
  ///
  /// The result is nil unless the lengths are right and the point is on the curve: any other point would reveal
  /// bits of the server's key.
  package init?(p256dh: String, auth: String) {
    guard p256dh.utf8.count <= 88, auth.utf8.count <= 24,
      let publicKey = Base64URL.decode(padded: p256dh), publicKey.count == 65, publicKey[0] == 4,
      let secret = Base64URL.decode(padded: auth), secret.count == 16,
      let agreementKey = try? P256.KeyAgreement.PublicKey(x963Representation: publicKey)
    else { return nil }
    self.publicKey = publicKey
    self.secret = secret
    self.agreementKey = agreementKey
  }

  /// Compares the point and the secret as the browser sent them.
  package static func == (left: PushKeys, right: PushKeys) -> Bool {
    left.publicKey == right.publicKey && left.secret == right.secret
  }

  /// Hashes the point and the secret as the browser sent them.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(publicKey)
    hasher.combine(secret)
  }
}
