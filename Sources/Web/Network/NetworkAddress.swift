// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An IPv4 or IPv6 address.
///
/// An IPv4 address in IPv6 form (`::ffff:10.0.0.2`), as dual-stack sockets report it, is treated as
/// the IPv4 address.
package struct NetworkAddress: Sendable, Hashable {
  /// The bytes, four or sixteen, the most significant first.
  let bytes: [UInt8]

  /// Creates an address from its bytes; nil unless there are four or sixteen.
  init?(bytes: [UInt8]) {
    switch bytes.count {
    case 4: self.bytes = bytes
    case 16 where bytes.starts(with: Self.mappedPrefix): self.bytes = Array(bytes.suffix(4))
    case 16: self.bytes = bytes
    default: return nil
    }
  }

  /// Reads `192.168.1.20`, `fd00::2` or `[fd00::2]`; nil for names, zones and ports.
  package init?(_ text: String) {
    var text = text
    if text.hasPrefix("["), text.hasSuffix("]") {
      text = String(text.dropFirst().dropLast())
      guard text.contains(":") else { return nil }
    }
    guard text.utf8.count <= 45 else { return nil }
    let isLong = text.contains(":")
    var bytes = [UInt8](repeating: 0, count: isLong ? 16 : 4)
    guard inet_pton(isLong ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
    self.init(bytes: bytes)
  }

  private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  var isIPv6: Bool { bytes.count == 16 }

  /// True if it is an address of this machine itself.
  var isLoopback: Bool { NetworkRange.loopback.contains { $0.contains(self) } }

  /// The usual notation, such as `192.168.1.20` or `fd00::2`.
  package var text: String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard
      inet_ntop(
        isIPv6 ? AF_INET6 : AF_INET, bytes, &buffer, socklen_t(buffer.count)) != nil
    else { return "" }
    return String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The notation in a URL: an IPv6 address has brackets.
  package var urlText: String { isIPv6 ? "[\(text)]" : text }
}

extension NetworkAddress: Comparable {
  /// Orders IPv4 before IPv6, then by number.
  package static func < (left: NetworkAddress, right: NetworkAddress) -> Bool {
    left.bytes.count == right.bytes.count
      ? left.bytes.lexicographicallyPrecedes(right.bytes)
      : left.bytes.count < right.bytes.count
  }
}
