// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings
import Identifiers
import Storage

/// The codes of an authenticator app: six digits that change every 30 seconds (RFC 6238 with SHA-1,
/// as all apps use it).
package struct OneTimeCode: Sendable {
  /// The length of a new seed in bytes: that of the hash (RFC 4226 section 4).
  package static let seedLength = 20
  /// The length of a step in milliseconds.
  static let stepLength: Int64 = 30_000
  private static let digits = 6

  let seed: [UInt8]

  /// Creates the codes of a seed.
  package init(seed: [UInt8]) {
    self.seed = seed
  }

  /// Returns the step that contains an instant.
  static func step(at now: Timestamp) -> Int64 {
    max(0, now.milliseconds) / stepLength
  }

  /// Returns the code of a step of 30 seconds, counted from 1970.
  package func code(at step: Int64) -> String {
    let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * Int64($0))) }
    let hash = Array(
      HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: seed)))
    let offset = Int(hash[hash.count - 1] & 0x0F)
    let number = hash[offset..<offset + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    let text = String((number & 0x7FFF_FFFF) % 1_000_000)
    return String(repeating: "0", count: Self.digits - text.count) + text
  }

  /// Returns the code that an app shows at an instant.
  package func code(at now: Timestamp) -> String {
    code(at: Self.step(at: now))
  }

  /// Returns the step whose code was typed: the current one, the previous or the next one, if it is later
  /// than the last one used.
  ///
  /// Returns nil if the code is wrong. Always compares every candidate, so that the time taken reveals
  /// nothing.
  package func step(of typed: String, at now: Timestamp, after last: Int64) -> Int64? {
    let digits = Array(typed.utf8.filter { $0 != UInt8(ascii: " ") })
    let present = Self.step(at: now)
    var found: Int64?
    for step in (present - 1)...(present + 1) {
      let fits = Self.isEqual(digits, Array(code(at: step).utf8))
      if fits, step > last { found = step }
    }
    return found
  }

  /// The seed in groups of four characters, for typing into an app that cannot read the QR code.
  package var typedSeed: String {
    let text = Base32.encode(seed)
    return stride(from: 0, to: text.count, by: 4)
      .map { String(text.dropFirst($0).prefix(4)) }
      .joined(separator: " ")
  }

  /// Returns the address in the QR code that an app reads.
  package func address(issuer: String, account: String) -> String {
    let (issuer, account) = (PercentEncoding.encode(issuer), PercentEncoding.encode(account))
    return "otpauth://totp/\(issuer):\(account)?secret=\(Base32.encode(seed))&issuer=\(issuer)"
  }

  private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// Base32 without padding (RFC 4648 section 6).
enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    var held: UInt32 = 0
    var bits = 0
    for byte in bytes {
      held = held << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        result.append(alphabet[Int(held >> UInt32(bits) & 0x1F)])
      }
      held &= (1 << UInt32(bits)) - 1
    }
    if bits > 0 { result.append(alphabet[Int(held << UInt32(5 - bits) & 0x1F)]) }
    return String(decoding: result, as: UTF8.self)
  }
}
