// SPDX-License-Identifier: Apache-2.0

import Encodings
import Storage

/// The identifier that connects a request's log lines with its answer: 32 hexadecimal digits.
///
/// It comes from the client or proxy (W3C Trace Context) or is random, so it says nothing about the person.
package struct TraceID: Sendable, Hashable {
  /// The identifier in lower case.
  package let text: String

  /// The length in bytes.
  static let size = 16

  /// Creates an identifier from random bytes.
  init(random: RandomBytes) {
    text = Hexadecimal.encode(random(Self.size))
  }

  /// Reads the identifier from a header field `traceparent`; nil unless the field is well-formed.
  ///
  /// A later version than 00 may have further parts, which are ignored.
  init?(traceparent: String) {
    let parts = traceparent.utf8.split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count >= 4, zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.count == $1 }),
      parts.prefix(4).allSatisfy({ $0.allSatisfy(Self.isDigit) }),
      !parts[0].elementsEqual("ff".utf8), parts.count == 4 || !parts[0].elementsEqual("00".utf8),
      !Self.isZero(parts[1]), !Self.isZero(parts[2])
    else { return nil }
    text = String(decoding: parts[1], as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  private static func isZero(_ digits: Substring.UTF8View) -> Bool {
    digits.allSatisfy { $0 == UInt8(ascii: "0") }
  }
}
