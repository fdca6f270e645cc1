// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An IP address as a number.
package enum IPAddress: Sendable, Hashable {
  case v4(UInt32)
  /// The first and the last 64 bits.
  case v6(UInt64, UInt64)

  /// Creates an address from its full spelling: four decimal numbers, or IPv6 without brackets or
  /// zone; nil for any other text.
  package init?(_ text: String) {
    let isV6 = text.utf8.contains(UInt8(ascii: ":"))
    var bytes = [UInt8](repeating: 0, count: isV6 ? 16 : 4)
    guard text.utf8.count <= 45, !text.utf8.contains(0),
      inet_pton(isV6 ? AF_INET6 : AF_INET, text, &bytes) == 1
    else { return nil }
    self.init(bytes: bytes)
  }

  /// Creates an address from 4 or 16 bytes in network order; nil for other lengths.
  init?(bytes: [UInt8]) {
    switch bytes.count {
    case 4: self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
    case 16:
      self = .v6(
        bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
        bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
    default: return nil
    }
  }

  /// The address in its usual spelling, IPv6 without brackets.
  package var text: String {
    switch self {
    case .v4(let bits):
      return [24, 16, 8, 0].map { String(bits >> UInt32($0) & 0xFF) }.joined(separator: ".")
    case .v6(let high, let low):
      // Not shortened: every parser agrees on this form, and people do not see it.
      let groups = [high, low].flatMap { half in
        [48, 32, 16, 0].map { String(half >> UInt64($0) & 0xFFFF, radix: 16) }
      }
      return groups.joined(separator: ":")
    }
  }
}
