// SPDX-License-Identifier: Apache-2.0

import Crypto
import Secrecy
import Storage

/// A bearer secret: shown or sent once, kept only as a digest.
package struct Secret: Sendable, Hashable {
  private let concealed: Concealed<String>

  /// What the holder presents, for example `rgs_…`.
  package var text: String { concealed.revealed }

  package init(text: String) {
    concealed = Concealed(text)
  }

  /// A new secret of 256 bits, with a prefix that tells what it is for.
  package init(prefix: String, random: RandomBytes) {
    self.init(text: prefix + Base64URL.encode(random(32)))
  }

  /// SHA-256 of the text: enough for a secret of 256 bits, which nobody can guess.
  package var digest: [UInt8] {
    Array(SHA256.hash(data: Array(text.utf8)))
  }

  package static let sessionPrefix = "rgs_"
  package static let tokenPrefix = "rgt_"
  package static let invitationPrefix = "rgi_"
  /// A link that proves an e-mail address.
  package static let addressPrefix = "rge_"
  /// A sign-in whose second step is still to come.
  package static let pendingPrefix = "rgp_"
}

/// Base64 with the URL-safe alphabet and no padding (RFC 4648 section 5).
package enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  package static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count * 4 + 2) / 3)
    var index = 0
    while index < bytes.count {
      let first = bytes[index]
      let second = index + 1 < bytes.count ? bytes[index + 1] : 0
      let third = index + 2 < bytes.count ? bytes[index + 2] : 0
      result.append(alphabet[Int(first >> 2)])
      result.append(alphabet[Int((first & 0x03) << 4 | second >> 4)])
      if index + 1 < bytes.count {
        result.append(alphabet[Int((second & 0x0F) << 2 | third >> 6)])
      }
      if index + 2 < bytes.count {
        result.append(alphabet[Int(third & 0x3F)])
      }
      index += 3
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Reads the one spelling that ``encode(_:)`` gives; nil for everything else.
  package static func decode(_ text: String) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count * 3 / 4)
    var held: UInt32 = 0
    var bits: UInt32 = 0
    for byte in text.utf8 {
      guard let value = alphabet.firstIndex(of: byte) else { return nil }
      held = held << 6 | UInt32(value)
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      result.append(UInt8(truncatingIfNeeded: held >> bits))
      held &= (1 << bits) - 1
    }
    // Bits that are left over are zero, and less than a letter's.
    guard bits < 6, held == 0 else { return nil }
    return result
  }
}

/// Lower-case hexadecimal.
package enum Hexadecimal {
  package static func encode(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      result.append(digits[Int(byte >> 4)])
      result.append(digits[Int(byte & 0x0F)])
    }
    return String(decoding: result, as: UTF8.self)
  }
  /// Reads lower-case pairs; nil for everything else.
  package static func decode(_ text: String) -> [UInt8]? {
    let digits = Array("0123456789abcdef".utf8)
    let bytes = Array(text.utf8)
    guard bytes.count.isMultiple(of: 2) else { return nil }
    var result: [UInt8] = []
    for index in stride(from: 0, to: bytes.count, by: 2) {
      guard let high = digits.firstIndex(of: bytes[index]),
        let low = digits.firstIndex(of: bytes[index + 1])
      else { return nil }
      result.append(UInt8(high << 4 | low))
    }
    return result
  }
}
