// SPDX-License-Identifier: Apache-2.0

/// Lower-case hexadecimal, two digits for each byte.
package enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Returns the digits of some bytes.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.underestimatedCount * 2)
    for byte in bytes {
      result.append(digits[Int(byte >> 4)])
      result.append(digits[Int(byte & 0x0F)])
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes lower-case pairs; nil for any other text.
  package static func decode(_ text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    guard bytes.count.isMultiple(of: 2) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count / 2)
    for index in stride(from: 0, to: bytes.count, by: 2) {
      guard let high = digits.firstIndex(of: bytes[index]),
        let low = digits.firstIndex(of: bytes[index + 1])
      else { return nil }
      result.append(UInt8(high << 4 | low))
    }
    return result
  }
}
