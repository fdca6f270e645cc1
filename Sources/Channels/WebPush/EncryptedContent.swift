// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// The content coding `aes128gcm` (RFC 8188) with all content in one record.
enum EncryptedContent {
  static let recordSize: UInt32 = 4096
  static let saltSize = 16
  /// The length of the byte that ends the last record, and of the authentication tag.
  static let overhead = 1 + 16

  private static let keyInformation = Array("Content-Encoding: aes128gcm\0\u{01}".utf8)
  private static let nonceInformation = Array("Content-Encoding: nonce\0\u{01}".utf8)

  /// Returns the length of the header: salt, record size and the key's name (section 2.1).
  static func headerSize(keyNameSize: Int) -> Int { saltSize + 4 + 1 + keyNameSize }

  /// Returns the header and the encrypted record; the content must fit one record.
  static func encrypt(
    _ content: [UInt8], inputKey: some ContiguousBytes, salt: [UInt8], keyName: [UInt8]
  ) throws -> [UInt8] {
    // HKDF (RFC 5869) with outputs of one block: each step is one HMAC.
    let secret = inputKey.withUnsafeBytes { bytes in
      var code = HMAC<SHA256>(key: SymmetricKey(data: salt))
      code.update(data: bytes)
      return SymmetricKey(data: code.finalize())
    }
    let key = HMAC<SHA256>.authenticationCode(for: keyInformation, using: secret)
      .withUnsafeBytes { SymmetricKey(data: $0.prefix(16)) }
    let nonce = try HMAC<SHA256>.authenticationCode(for: nonceInformation, using: secret)
      .withUnsafeBytes { try AES.GCM.Nonce(data: $0.prefix(12)) }
    var record: [UInt8] = []
    record.reserveCapacity(content.count + 1)
    record += content
    // The delimiter of the last record; no padding.
    record.append(2)
    let sealed = try AES.GCM.seal(record, using: key, nonce: nonce)

    var body: [UInt8] = []
    body.reserveCapacity(headerSize(keyNameSize: keyName.count) + record.count + 16)
    body += salt
    for shift in [24, 16, 8, 0] as [UInt32] { body.append(UInt8(recordSize >> shift & 0xFF)) }
    body.append(UInt8(truncatingIfNeeded: keyName.count))
    body += keyName
    body += sealed.ciphertext
    body += sealed.tag
    return body
  }
}
