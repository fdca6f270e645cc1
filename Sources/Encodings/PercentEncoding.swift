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
