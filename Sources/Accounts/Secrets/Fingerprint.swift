// SPDX-License-Identifier: Apache-2.0

import Crypto

/// Digests and codes for the modules above, so that only this one deals in cryptography.
package enum Fingerprint {
  /// Returns the SHA-256 digest of some bytes.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: bytes))
  }

  /// Returns a code that only a holder of the key can make (HMAC with SHA-256).
  package static func code(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
  }
}
