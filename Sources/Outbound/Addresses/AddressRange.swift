// SPDX-License-Identifier: Apache-2.0

/// The ranges of the IANA special-purpose address registries (RFC 6890 and later entries).
extension IPAddress {
  /// True if the address is reachable on the public internet and does not stand for another
  /// address, as in 6to4.
  package var isPublic: Bool {
    switch self {
    case .v4(let bits): !Self.specialV4.contains { $0.contains(bits) }
    case .v6(let high, _):
      // Only 2000::/3 is allocated. The rest contains loopback, mapped and translated IPv4 (::ffff:0:0/96,
      // 64:ff9b::/96), unique local, link-local, multicast and discard addresses.
      high >> 61 == 1 && !Self.specialV6.contains { $0.contains(high) }
    }
  }

  /// True for 127.0.0.0/8 and ::1.
  package var isLoopback: Bool {
    switch self {
    case .v4(let bits): bits >> 24 == 127
    case .v6(let high, let low): high == 0 && low == 1
    }
  }

  /// True for addresses within an organisation: RFC 1918, shared address space (RFC 6598), unique local (RFC
  /// 4193).
  var isPrivate: Bool {
    switch self {
    case .v4(let bits): Self.privateV4.contains { $0.contains(bits) }
    case .v6(let high, _): high >> 57 == 0xFC >> 1
    }
  }

  private struct RangeV4 {
    let base: UInt32
    let length: UInt32

    init(_ first: UInt32, _ second: UInt32, _ third: UInt32, _ fourth: UInt32, _ length: UInt32) {
      base = first << 24 | second << 16 | third << 8 | fourth
      self.length = length
    }

    func contains(_ bits: UInt32) -> Bool { (bits ^ base) >> (32 - length) == 0 }
  }

  /// A range by its first 64 bits.
  private struct RangeV6 {
    let base: UInt64
    let length: UInt64

    func contains(_ high: UInt64) -> Bool { (high ^ base) >> (64 - length) == 0 }
  }

  private static let privateV4 = [
    RangeV4(10, 0, 0, 0, 8), RangeV4(172, 16, 0, 0, 12), RangeV4(192, 168, 0, 0, 16),
    RangeV4(100, 64, 0, 0, 10),
  ]

  private static let specialV4 =
    privateV4 + [
      RangeV4(0, 0, 0, 0, 8),  // this network
      RangeV4(127, 0, 0, 0, 8),  // loopback
      RangeV4(169, 254, 0, 0, 16),  // link-local, and clouds' metadata
      RangeV4(192, 0, 0, 0, 24),  // protocol assignments
      RangeV4(192, 0, 2, 0, 24), RangeV4(198, 51, 100, 0, 24), RangeV4(203, 0, 113, 0, 24),
      RangeV4(192, 31, 196, 0, 24), RangeV4(192, 175, 48, 0, 24),  // AS112
      RangeV4(192, 52, 193, 0, 24),  // multicast tunnels
      RangeV4(192, 88, 99, 0, 24),  // 6to4 relays
      RangeV4(198, 18, 0, 0, 15),  // benchmarks
      RangeV4(224, 0, 0, 0, 4),  // multicast
      RangeV4(240, 0, 0, 0, 4),  // reserved, broadcast
    ]

  private static let specialV6 = [
    RangeV6(base: 0x2001_0000_0000_0000, length: 23),  // protocol assignments, Teredo, ORCHID
    RangeV6(base: 0x2001_0DB8_0000_0000, length: 32),  // documentation
    RangeV6(base: 0x2002_0000_0000_0000, length: 16),  // 6to4: contains an IPv4 address
    RangeV6(base: 0x2620_004F_8000_0000, length: 48),  // AS112
    RangeV6(base: 0x3FFF_0000_0000_0000, length: 20),  // documentation
  ]
}

extension CheckedURL {
  /// Returns true if the host may have this address.
  func permits(_ address: IPAddress) -> Bool {
    guard isSecure || address.isLoopback else { return false }
    switch trust {
    case .publicOnly: return address.isPublic
    case .operatorNamed:
      if case .literal(address) = host { return true }
      return address.isPublic || address.isPrivate || address.isLoopback
    }
  }
}
