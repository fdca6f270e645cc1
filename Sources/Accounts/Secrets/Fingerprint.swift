// SPDX-License-Identifier: Apache-2.0

import Crypto

/// Digests and codes for higher modules, so that only this one uses cryptography.
package enum Fingerprint {
  /// Returns the SHA-256 digest of some bytes.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: bytes))
  }

  /// Returns a code that only someone with the key can create (HMAC with SHA-256).
  package static func code(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
  }
}
