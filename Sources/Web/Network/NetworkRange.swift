// SPDX-License-Identifier: Apache-2.0

/// A range of addresses with a common beginning, such as `10.0.0.0/8`.
package struct NetworkRange: Sendable, Hashable {
  /// The first address of the range.
  let first: NetworkAddress
  /// The number of leading bits that all its addresses share.
  let prefixLength: Int

  /// Creates the range of that size around an address; an invalid length is clamped.
  init(around address: NetworkAddress, prefixLength: Int) {
    let length = min(max(prefixLength, 0), address.bytes.count * 8)
    let mask = Self.mask(length, count: address.bytes.count)
    first = NetworkAddress(bytes: zip(address.bytes, mask).map { $0 & $1 }) ?? address
    self.prefixLength = length
  }

  /// Reads `10.0.0.0/8`, or one address, which is a range of one; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, let address = NetworkAddress(String(name)) else { return nil }
    let bits = address.bytes.count * 8
    guard parts.count == 2 else {
      self.init(around: address, prefixLength: bits)
      return
    }
    guard parts[1].allSatisfy(\.isNumber), let length = Int(parts[1]), (0...bits).contains(length)
    else { return nil }
    self.init(around: address, prefixLength: length)
  }

  /// Returns true if the address lies in the range.
  package func contains(_ address: NetworkAddress) -> Bool {
    address.bytes.count == first.bytes.count
      && NetworkRange(around: address, prefixLength: prefixLength).first == first
  }

  /// The form of name constraints (RFC 5280, 4.2.1.10): the address, then its mask.
  var constraintBytes: [UInt8] {
    first.bytes + Self.mask(prefixLength, count: first.bytes.count)
  }

  /// Reads the form of name constraints; nil for a mask with holes.
  init?(constraintBytes bytes: [UInt8]) {
    guard bytes.count == 8 || bytes.count == 32,
      let address = NetworkAddress(bytes: Array(bytes.prefix(bytes.count / 2)))
    else { return nil }
    let mask = Array(bytes.suffix(bytes.count / 2))
    let length = mask.reduce(0) { $0 + $1.nonzeroBitCount }
    guard address.bytes.count == mask.count, mask == Self.mask(length, count: mask.count) else {
      return nil
    }
    self.init(around: address, prefixLength: length)
  }

  private static func mask(_ length: Int, count: Int) -> [UInt8] {
    (0..<count).map { index in
      let bits = min(max(length - index * 8, 0), 8)
      return bits == 0 ? 0 : UInt8.max << UInt8(8 - bits)
    }
  }

  /// The addresses that only this machine can reach.
  static let loopback = ["127.0.0.0/8", "::1"].compactMap(NetworkRange.init)

  /// The ranges that any household may use (RFC 1918, 3927, 4193, 6598).
  static let householdRanges =
    loopback
    + [
      "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
      "fc00::/7", "fe80::/10",
    ].compactMap(NetworkRange.init)
}
