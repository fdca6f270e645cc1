// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation

/// The cost of one password check.
///
/// The default follows OWASP's advice for scrypt (N = 2^17, r = 8, p = 1): 128 MiB each.
package struct PasswordCost: Sendable, Hashable {
  /// The binary logarithm of scrypt's N.
  package let logarithm: Int
  /// The block size r.
  package let blockSize: Int
  /// The parallelism p.
  package let parallelism: Int

  /// Creates a cost.
  package init(logarithm: Int, blockSize: Int, parallelism: Int) {
    self.logarithm = logarithm
    self.blockSize = blockSize
    self.parallelism = parallelism
  }

  /// The cost of new passwords.
  package static let standard = PasswordCost(logarithm: 17, blockSize: 8, parallelism: 1)

  /// The number of bytes that one check needs.
  var memory: Int { (128 * blockSize) << logarithm }
}

/// A password as stored: `$scrypt$ln=17,r=8,p=1$salt$hash`, so that the cost can grow later.
package struct PasswordHash: Sendable, Hashable {
  let cost: PasswordCost
  let salt: [UInt8]
  let derived: [UInt8]

  /// Derives a new hash.
  ///
  /// Slow and memory-intensive by design, so run it through ``PasswordGate``.
  init(password: String, salt: [UInt8], cost: PasswordCost) throws {
    self.cost = cost
    self.salt = salt
    derived = try Self.derive(password, salt: salt, cost: cost)
  }

  /// Reads the stored form; nil for any other text.
  init?(stored: String) {
    let parts = stored.split(separator: "$", omittingEmptySubsequences: true)
    guard parts.count == 4, parts[0] == "scrypt" else { return nil }
    var values: [Substring: Int] = [:]
    for pair in parts[1].split(separator: ",") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, let value = Int(sides[1]) else { return nil }
      values[sides[0]] = value
    }
    guard let logarithm = values["ln"], let blockSize = values["r"], let parallelism = values["p"],
      (10...20).contains(logarithm), (1...32).contains(blockSize), (1...16).contains(parallelism),
      let salt = Data(base64Encoded: String(parts[2])),
      let derived = Data(base64Encoded: String(parts[3])), derived.count == 32
    else { return nil }
    cost = PasswordCost(logarithm: logarithm, blockSize: blockSize, parallelism: parallelism)
    self.salt = Array(salt)
    self.derived = Array(derived)
  }

  /// The form stored in the database.
  var stored: String {
    "$scrypt$ln=\(cost.logarithm),r=\(cost.blockSize),p=\(cost.parallelism)"
      + "$\(Data(salt).base64EncodedString())$\(Data(derived).base64EncodedString())"
  }

  /// Compares a password in constant time.
  func matches(_ password: String) throws -> Bool {
    let candidate = try Self.derive(password, salt: salt, cost: cost)
    var difference: UInt8 = 0
    for (left, right) in zip(candidate, derived) { difference |= left ^ right }
    return difference == 0 && candidate.count == derived.count
  }

  private static func derive(
    _ password: String, salt: [UInt8], cost: PasswordCost
  ) throws -> [UInt8] {
    // The same password typed on two keyboards may be composed differently: NFC makes it equal.
    let normalised = Array(password.precomposedStringWithCanonicalMapping.utf8)
    let key = try KDF.Scrypt.deriveKey(
      from: normalised, salt: salt, outputByteCount: 32, rounds: 1 << cost.logarithm,
      blockSize: cost.blockSize, parallelism: cost.parallelism, maxMemory: cost.memory * 2)
    return key.withUnsafeBytes { Array($0) }
  }
}
