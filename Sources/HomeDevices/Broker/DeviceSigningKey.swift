// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Encodings
import Foundation
import Storage

/// The key with which a device signs its reports over a broker, and the server its answers to them.
///
/// Others can read and write at a broker, so neither side trusts what has no signature. The key is derived from the
/// digest of the device's token with a key outside the database: a copy of the database signs nothing, and the key
/// ends with the token.
package struct DeviceSigningKey: Sendable, Hashable {
  /// The hexadecimal digits of a signature, at the beginning of a payload.
  package static let signatureLength = 64

  /// The text that the device keeps.
  package let secret: Secret

  /// Creates the key of a device; nil if its token was revoked.
  package init?(of device: HomeDevice, cipher: FieldCipher) {
    guard let digest = device.tokenDigest else { return nil }
    self.init(digest: digest, cipher: cipher)
  }

  /// Creates the key that the server told a device.
  package init(text: String) {
    secret = Secret(text: text)
  }

  init(digest: [UInt8], cipher: FieldCipher) {
    let derived = cipher.blindIndex(
      Hexadecimal.encode(digest), context: "home_devices:signing")
    secret = Secret(text: Base64URL.encode(derived))
  }

  /// Returns the payload with a signed body: the signature, a line feed and the body.
  ///
  /// - Parameter topic: The topic at which it is published, which is signed too.
  package func payload(_ body: [UInt8], topic: String) -> [UInt8] {
    let code = HMAC<SHA256>.authenticationCode(for: Self.signed(body, topic), using: key)
    return Array(Hexadecimal.encode(Array(code)).utf8) + [Self.lineFeed] + body
  }

  /// Returns the signature and the body of a payload; nil if it was not signed with this key for this topic.
  package func open(_ payload: [UInt8], topic: String) -> (signature: String, body: [UInt8])? {
    guard payload.count > Self.signatureLength, payload[Self.signatureLength] == Self.lineFeed
    else { return nil }
    let signature = String(decoding: payload[..<Self.signatureLength], as: UTF8.self)
    let body = Array(payload[(Self.signatureLength + 1)...])
    guard let code = Hexadecimal.decode(signature),
      HMAC<SHA256>.isValidAuthenticationCode(
        code, authenticating: Self.signed(body, topic), using: key)
    else { return nil }
    return (signature, body)
  }

  private static let lineFeed = UInt8(ascii: "\n")

  private var key: SymmetricKey { SymmetricKey(data: Array(secret.text.utf8)) }

  private static func signed(_ body: [UInt8], _ topic: String) -> [UInt8] {
    Array(topic.utf8) + [lineFeed] + body
  }
}
