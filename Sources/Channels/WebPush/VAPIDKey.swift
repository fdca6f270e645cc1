// SPDX-License-Identifier: Apache-2.0
import Crypto
import Encodings
import Secrecy

/// The key that identifies this server to push services (RFC 8292); subscriptions are bound to it.
package struct VAPIDKey: Sendable, Unprintable {
  private let key: P256.Signing.PrivateKey
  /// The uncompressed public point as base64url, which a browser uses to subscribe.
  package let publicKey: String

  private init(_ key: P256.Signing.PrivateKey) {
    self.key = key
    publicKey = Base64URL.encode(key.publicKey.x963Representation)
  }

  /// Returns a new key, from the library's own source of randomness.
  package static func generate() -> VAPIDKey {
    VAPIDKey(P256.Signing.PrivateKey(compactRepresentable: false))
  }

  /// Creates a key from 32 stored bytes; nil if they are not a private key.
  package init?(rawRepresentation: [UInt8]) {
    guard let key = try? P256.Signing.PrivateKey(rawRepresentation: rawRepresentation) else {
      return nil
    }
    self.init(key)
  }

  /// The private key, 32 bytes, to be stored encrypted.
  package var rawRepresentation: [UInt8] { Array(key.rawRepresentation) }

  /// Returns a signature of r and s (RFC 7518 section 3.4).
  func signature(for message: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: message).rawRepresentation)
  }
}
