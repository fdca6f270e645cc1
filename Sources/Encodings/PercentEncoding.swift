// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding (RFC 3986 section 2): a space becomes `%20`, never a plus sign.
package enum PercentEncoding {
  /// Encodes every byte of a text except the unreserved characters: letters, digits, `-`, `.`, `_` and `~`.
  ///
  /// - Parameter kept: the reserved characters without a special meaning at the destination.
  package static func encode(_ text: String, keeping kept: StaticString = "") -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) || kept.withUTF8Buffer({ $0.contains(byte) }) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes a text; nil if a percent sign is not followed by two hexadecimal digits, or the result is not UTF-8.
  ///
  /// - Parameter readsPlus: true if a plus sign stands for a space, as in queries and forms.
  package static func decode(_ text: Substring, readingPlus readsPlus: Bool = false) -> String? {
    let percent = UInt8(ascii: "%")
    let plus = UInt8(ascii: "+")
    guard text.utf8.contains(where: { $0 == percent || readsPlus && $0 == plus }) else {
      return String(text)
    }
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    var bytes = text.utf8.makeIterator()
    while let byte = bytes.next() {
      if byte == percent {
        guard let high = bytes.next().flatMap(digit), let low = bytes.next().flatMap(digit) else {
          return nil
        }
        result.append(high << 4 | low)
      } else {
        result.append(readsPlus && byte == plus ? UInt8(ascii: " ") : byte)
      }
    }
    return String(validating: result, as: UTF8.self)
  }

  /// Returns the value of a hexadecimal digit; nil for any other byte.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
