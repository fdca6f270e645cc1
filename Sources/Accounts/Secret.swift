// SPDX-License-Identifier: Apache-2.0

import Crypto
import Storage

/// A bearer secret: shown or sent once, kept only as a digest.
package struct Secret: Sendable, Hashable {
  /// What the holder presents, for example `rgs_…`.
  package let text: String

  package init(text: String) {
    self.text = text
  }

  /// A new secret of 256 bits, with a prefix that tells what it is for.
  package init(prefix: String, random: RandomBytes) {
    text = prefix + Base64URL.encode(random(32))
  }

  /// SHA-256 of the text: enough for a secret of 256 bits, which nobody can guess.
  package var digest: [UInt8] {
    Array(SHA256.hash(data: Array(text.utf8)))
  }

  package static let sessionPrefix = "rgs_"
  package static let tokenPrefix = "rgt_"
  package static let invitationPrefix = "rgi_"
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
}
