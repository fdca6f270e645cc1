// SPDX-License-Identifier: Apache-2.0

/// Base64 with the standard alphabet and padding (RFC 4648 section 4).
package enum Base64 {
  private static let alphabet = Base64Digits.common + Array("+/".utf8)

  /// Returns the encoded bytes, padded to a multiple of four characters.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var digits = Base64Digits.encode(bytes, alphabet)
    let padding = (4 - digits.count % 4) % 4
    digits.append(contentsOf: repeatElement(UInt8(ascii: "="), count: padding))
    return String(decoding: digits, as: UTF8.self)
  }
}

/// Base64 with the URL-safe alphabet and no padding (RFC 4648 section 5).
package enum Base64URL {
  private static let alphabet = Base64Digits.common + Array("-_".utf8)

  /// Returns the encoded bytes.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: Base64Digits.encode(bytes, alphabet), as: UTF8.self)
  }

  /// Decodes only the exact form of ``encode(_:)``; nil for any other text.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    decode(digits: text.utf8)
  }

  /// Decodes text with or without padding, as browsers and other servers write it.
  package static func decode(padded text: some StringProtocol) -> [UInt8]? {
    var digits = Array(text.utf8)
    if digits.count.isMultiple(of: 4) {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    return decode(digits: digits)
  }

  private static func decode(digits: some Collection<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(digits.count * 3 / 4)
    var held: UInt32 = 0
    var bits: UInt32 = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      held = held << 6 | value
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      result.append(UInt8(truncatingIfNeeded: held >> bits))
      held &= (1 << bits) - 1
    }
    // Remaining bits must be zero, and fewer than a digit's.
    guard bits < 6, held == 0 else { return nil }
    return result
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

/// The digits and the grouping of bits that both alphabets share.
private enum Base64Digits {
  static let common = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  static func encode(_ bytes: some Collection<UInt8>, _ alphabet: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    var held: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      held = held << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        result.append(alphabet[Int(held >> bits & 0x3F)])
      }
      held &= (1 << bits) - 1
    }
    if bits > 0 { result.append(alphabet[Int(held << (6 - bits) & 0x3F)]) }
    return result
  }
}
