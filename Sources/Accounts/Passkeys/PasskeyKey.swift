// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The public key of a passkey, in the two supported algorithms.
struct PasskeyKey: Sendable, Hashable {
  /// The COSE names of the algorithms (RFC 9053).
  enum Algorithm: Int64, Sendable, CaseIterable {
    case es256 = -7
    case edDSA = -8
  }

  let algorithm: Algorithm
  /// The point in uncompressed X9.63 form, or the 32 bytes of Ed25519.
  let bytes: [UInt8]

  /// Reads the stored form; nil if it is not a key.
  init?(algorithm: Int64, bytes: [UInt8]) {
    guard let algorithm = Algorithm(rawValue: algorithm) else { return nil }
    switch algorithm {
    case .es256:
      guard (try? P256.Signing.PublicKey(x963Representation: bytes)) != nil else { return nil }
    case .edDSA:
      guard (try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)) != nil else {
        return nil
      }
    }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Reads a COSE_Key (RFC 9052 section 7); nil if it is neither of the two kinds.
  init?(cose: CBORValue) {
    guard let algorithm = cose[3]?.integer, let x = cose[-2]?.bytes, x.count == 32 else {
      return nil
    }
    switch (algorithm, cose[1]?.integer, cose[-1]?.integer) {
    case (Algorithm.es256.rawValue, 2, 1):
      guard let y = cose[-3]?.bytes, y.count == 32 else { return nil }
      // The initialiser rejects points that are not on the curve.
      self.init(algorithm: algorithm, bytes: [4] + x + y)
    case (Algorithm.edDSA.rawValue, 1, 6):
      self.init(algorithm: algorithm, bytes: x)
    default: return nil
    }
  }

  /// Returns true if a signature over some bytes was made with the private key.
  func verifies(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
    switch algorithm {
    case .es256:
      guard let key = try? P256.Signing.PublicKey(x963Representation: self.bytes),
        let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
      else { return false }
      return key.isValidSignature(signature, for: bytes)
    case .edDSA:
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: self.bytes) else {
        return false
      }
      return key.isValidSignature(signature, for: bytes)
    }
  }
}
