// SPDX-License-Identifier: Apache-2.0

import Encodings
import Storage

/// The part of a broker's topics that stands for a device: the digest of its token, so that it changes with the token
/// and says nothing about the person.
package struct DeviceAddress: Sendable, Hashable {
  /// The bytes of a digest.
  private static let digestLength = 32

  /// The text in a topic.
  package let text: String
  let digest: [UInt8]

  /// Creates the address of a device; nil if its token was revoked.
  package init?(of device: HomeDevice) {
    guard let digest = device.tokenDigest else { return nil }
    self.digest = digest
    text = Base64URL.encode(digest)
  }

  /// Reads the part of a topic; nil if it cannot be an address.
  package init?(text: String) {
    guard let digest = Base64URL.decode(text), digest.count == Self.digestLength else { return nil }
    self.digest = digest
    self.text = text
  }

  /// Returns the key with which the device at this address signs; nil if there is none.
  package func signingKey(
    cipher: FieldCipher, in reader: any SQLReader
  ) throws(StorageError) -> DeviceSigningKey? {
    guard let device = try HomeDeviceQueries.device(digest: digest, in: reader) else { return nil }
    return DeviceSigningKey(of: device, cipher: cipher)
  }
}
