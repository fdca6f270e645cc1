// SPDX-License-Identifier: Apache-2.0

/// An address that a policy has allowed.
///
/// Only ``OutboundPolicy/check(_:)`` creates one.
package struct CheckedURL: Sendable, Hashable {
  /// The addresses that the host may resolve to.
  enum Trust: Sendable, Hashable {
    /// Only public ones, because the address came from outside.
    case publicOnly
    /// Private and loopback ones too, because the operator named the host.
    case operatorNamed
  }

  /// True for https.
  package let isSecure: Bool
  /// The host, as a name or an address.
  package let host: OutboundHost
  /// The port; the scheme's default if the address has none.
  package let port: Int
  /// The path and query, at least `/`.
  package let target: String
  let trust: Trust

  /// The origin, such as `https://host`, with the port unless it is the default (RFC 6454).
  package var origin: String {
    let scheme = isSecure ? "https://" : "http://"
    return port == standardPort ? scheme + host.text : "\(scheme)\(host.text):\(port)"
  }

  /// The whole address, without the port if it is the default.
  package var text: String { origin + target }

  /// The host and port, for messages to an operator, without the path, which can be a secret.
  package var hostText: String { port == standardPort ? host.text : "\(host.text):\(port)" }

  var standardPort: Int { isSecure ? 443 : 80 }

  static let maximumBytes = 2048
}

/// The parts of an address, parsed by the strict grammar of RFC 3986, on which all parsers agree.
struct AddressParts {
  let isSecure: Bool
  let host: OutboundHost
  let port: Int
  let target: String

  init(_ text: String) throws(OutboundError) {
    guard text.utf8.count <= CheckedURL.maximumBytes else { throw .notAllowed(.tooLong) }
    guard text.utf8.allSatisfy(Self.isAllowed) else { throw .notAllowed(.malformed) }
    guard let schemeEnd = text.firstIndex(of: ":") else { throw .notAllowed(.malformed) }
    switch text[..<schemeEnd].lowercased() {
    case "https": isSecure = true
    case "http": isSecure = false
    default: throw .notAllowed(.scheme)
    }
    let rest = text[text.index(after: schemeEnd)...]
    guard rest.hasPrefix("//") else { throw .notAllowed(.malformed) }
    let afterSlashes = rest.dropFirst(2)
    let authorityEnd = afterSlashes.firstIndex { $0 == "/" || $0 == "?" } ?? afterSlashes.endIndex
    let authority = afterSlashes[..<authorityEnd]
    guard !authority.contains("@") else { throw .notAllowed(.userInformation) }
    guard let (hostText, givenPort) = HostAndPort.split(authority),
      let host = OutboundHost(hostText)
    else { throw .notAllowed(.host) }
    self.host = host
    port = givenPort ?? (isSecure ? 443 : 80)
    let target = afterSlashes[authorityEnd...]
    guard Self.isWellFormed(target) else { throw .notAllowed(.malformed) }
    self.target = target.hasPrefix("/") ? String(target) : "/" + target
  }

  /// Returns true for unreserved and reserved characters and the percent sign: no fragment, backslash, space
  /// or control.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
      UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "$"),
      UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
      UInt8(ascii: "="), UInt8(ascii: "%"):
      true
    default: false
    }
  }

  /// Returns true if there are no brackets after the host, and each percent sign starts an encoded byte.
  private static func isWellFormed(_ target: Substring) -> Bool {
    let bytes = Array(target.utf8)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "["), UInt8(ascii: "]"): return false
      case UInt8(ascii: "%"):
        guard index + 2 < bytes.count, bytes[index + 1].isHexadecimalDigit,
          bytes[index + 2].isHexadecimalDigit
        else { return false }
        index += 3
      default: index += 1
      }
    }
    return true
  }
}
