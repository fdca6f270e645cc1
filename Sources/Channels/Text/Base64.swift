// SPDX-License-Identifier: Apache-2.0

/// Base64 (RFC 4648): the URL alphabet for keys and tokens, the standard one for mail.
enum Base64 {
  enum Alphabet {
    /// Section 4, with padding.
    case standard
    /// Section 5, without padding.
    case url
  }

  private static let standard = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let url = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func encode(_ bytes: some Collection<UInt8>, _ alphabet: Alphabet) -> [UInt8] {
    let digits = alphabet == .url ? url : standard
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    var group: UInt32 = 0
    var held = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      held += 1
      if held == 3 {
        for shift in [18, 12, 6, 0] as [UInt32] {
          result.append(digits[Int(group >> shift & 0x3F)])
        }
        group = 0
        held = 0
      }
    }
    guard held > 0 else { return result }
    group <<= UInt32(8 * (3 - held))
    for index in 0...held {
      result.append(digits[Int(group >> UInt32(18 - 6 * index) & 0x3F)])
    }
    if alphabet == .standard {
      result.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - held))
    }
    return result
  }

  static func urlText(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: encode(bytes, .url), as: UTF8.self)
  }

  /// Reads the URL alphabet, with or without padding; nil for anything else, stray bits included.
  static func decodeURL(_ text: String) -> [UInt8]? {
    var digits = Array(text.utf8)
    if digits.count.isMultiple(of: 4) {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(digits.count * 3 / 4)
    var group: UInt32 = 0
    var bits: UInt32 = 0
    for digit in digits {
      guard let value = urlValue(of: digit) else { return nil }
      group = group << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(group >> bits & 0xFF))
        group &= 1 << bits - 1
      }
    }
    return group == 0 ? result : nil
  }

  private static func urlValue(of digit: UInt8) -> UInt32? {
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
