// SPDX-License-Identifier: Apache-2.0

/// A host of an address: a name or an IP literal, in a single normal form.
package enum OutboundHost: Sendable, Hashable {
  /// A name of letters, digits and hyphens, in lower case, without a final dot.
  case name(String)
  /// A literal address; an IPv6 one was in brackets.
  case literal(IPAddress)

  /// Parses a host strictly, and rejects anything that another parser could take for a different host.
  ///
  /// Rejected are percent signs, characters beyond ASCII, final dots, underscores and the short, octal,
  /// hexadecimal and single-number forms of IPv4 that C libraries accept.
  init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    if bytes.first == UInt8(ascii: "[") {
      guard bytes.count > 2, bytes.last == UInt8(ascii: "]"),
        let address = IPAddress(String(decoding: bytes[1..<(bytes.count - 1)], as: UTF8.self)),
        case .v6 = address
      else { return nil }
      self = .literal(address)
      return
    }
    guard let name = Self.normalisedName(bytes) else { return nil }
    if Self.looksNumeric(name) {
      guard let address = IPAddress(name), case .v4 = address else { return nil }
      self = .literal(address)
    } else {
      self = .name(name)
    }
  }

  /// The host as written in an address, IPv6 in brackets.
  package var text: String {
    switch self {
    case .name(let name): name
    case .literal(.v6(let high, let low)): "[\(IPAddress.v6(high, low).text)]"
    case .literal(let address): address.text
    }
  }

  /// True if plain http may be used, because nothing leaves the machine.
  var isLoopback: Bool {
    switch self {
    case .name(let name): name == "localhost"
    case .literal(let address): address.isLoopback
    }
  }

  private static func normalisedName(_ bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty, bytes.count <= 253 else { return nil }
    var name: [UInt8] = []
    name.reserveCapacity(bytes.count)
    var labelLength = 0
    var previous = UInt8(ascii: ".")
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): name.append(byte | 0x20)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        name.append(byte)
      case UInt8(ascii: "-"):
        guard previous != UInt8(ascii: ".") else { return nil }
        name.append(byte)
      case UInt8(ascii: "."):
        guard labelLength > 0, previous != UInt8(ascii: "-") else { return nil }
        name.append(byte)
      default: return nil
      }
      labelLength = byte == UInt8(ascii: ".") ? 0 : labelLength + 1
      guard labelLength <= 63 else { return nil }
      previous = byte
    }
    guard labelLength > 0, previous != UInt8(ascii: "-") else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns true if browsers and C libraries would read the name as an IPv4 address: its last
  /// label is a number, decimal or hexadecimal (WHATWG URL, "ends in a number").
  private static func looksNumeric(_ name: String) -> Bool {
    guard let last = name.split(separator: ".").last else { return false }
    if last.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      return true
    }
    return last.hasPrefix("0x") && last.dropFirst(2).utf8.allSatisfy(\.isHexadecimalDigit)
  }
}

extension UInt8 {
  var isHexadecimalDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
