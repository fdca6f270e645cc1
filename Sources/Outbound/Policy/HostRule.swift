// SPDX-License-Identifier: Apache-2.0

/// An entry in a list of hosts: `fcm.googleapis.com`, `*.push.apple.com`, `127.0.0.1:9999`.
package struct HostRule: Sendable, Hashable {
  enum Pattern: Sendable, Hashable {
    case host(OutboundHost)
    /// Any name below this one, but not the name itself.
    case below(String)
  }

  let pattern: Pattern
  /// The only allowed port; nil for the scheme's default.
  let port: Int?

  /// Creates a rule from an entry; nil for anything but a host, or `*.` and a name of two labels or
  /// more, with or without a port.
  package init?(_ text: String) {
    guard let (host, port) = HostAndPort.split(text[...]) else { return nil }
    self.port = port
    if host.hasPrefix("*.") {
      guard case .name(let name)? = OutboundHost(host.dropFirst(2)), name.contains(".") else {
        return nil
      }
      pattern = .below(name)
    } else {
      guard let host = OutboundHost(host) else { return nil }
      pattern = .host(host)
    }
  }

  /// Returns true if the rule covers this host and port.
  func matches(_ host: OutboundHost, port: Int, standardPort: Int) -> Bool {
    guard port == self.port ?? standardPort else { return false }
    switch (pattern, host) {
    case (.host(let own), _): return own == host
    case (.below(let parent), .name(let name)):
      guard name.utf8.count > parent.utf8.count + 1, name.hasSuffix(".\(parent)") else {
        return false
      }
      // Encoded international labels below a trusted name are of no use here and can mislead.
      return !name.hasPrefix("xn--") && !name.contains(".xn--")
    case (.below, .literal): return false
    }
  }
}

/// The two parts of `host:port`, with an IPv6 host in brackets.
enum HostAndPort {
  static func split(_ text: Substring) -> (host: Substring, port: Int?)? {
    let end: Substring.Index
    if text.hasPrefix("[") {
      guard let bracket = text.firstIndex(of: "]") else { return nil }
      end = text.index(after: bracket)
    } else {
      end = text.firstIndex(of: ":") ?? text.endIndex
    }
    let host = text[..<end]
    guard end < text.endIndex else { return (host, nil) }
    guard text[end] == ":" else { return nil }
    let digits = text[text.index(after: end)...].utf8
    guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0"),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let port = Int(String(decoding: Array(digits), as: UTF8.self)), port <= 65535
    else { return nil }
    return (host, port)
  }
}
