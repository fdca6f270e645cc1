// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The proxies in front of the server, whose header fields are trusted.
///
/// `X-Forwarded-For` only decides whose guesses are counted together.
package struct TrustedProxies: Sendable, Hashable {
  let ranges: [NetworkRange]

  /// Creates the list of trusted proxies; empty to trust none.
  package init(_ ranges: [NetworkRange]) {
    self.ranges = ranges
  }

  var isEmpty: Bool { ranges.isEmpty }

  /// Returns true if the peer of a connection is one of them.
  func contains(_ peer: NetworkAddress?) -> Bool {
    guard let peer else { return false }
    return ranges.contains { $0.contains(peer) }
  }

  /// Returns true if the proxy says that the client connected over https.
  ///
  /// If several proxies in a row add a value, all of them must say https, since the first value may
  /// be the client's own.
  func sayHTTPS(_ headers: HTTPFields, peer: NetworkAddress?) -> Bool {
    guard contains(peer), let text = headers[.xForwardedProto] else { return false }
    return text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { word in
      word.drop { $0 == " " }.lowercased().prefix { $0 != " " } == "https"
    }
  }

  /// Returns the address of a client: the peer itself, or the address that a trusted proxy reports.
  ///
  /// The field is read from the end, where the nearest proxy writes: anything before the first
  /// address that is no proxy may be the client's invention. An invalid entry ends the reading.
  func client(_ headers: HTTPFields, peer: NetworkAddress?) -> NetworkAddress? {
    guard var client = peer, contains(client) else { return peer }
    let entries = headers[values: .xForwardedFor].flatMap { $0.split(separator: ",") }
    for entry in entries.reversed() {
      guard let address = Self.address(entry) else { break }
      client = address
      guard contains(address) else { break }
    }
    return client
  }

  /// Returns the address in a proxy's notation, which may include the port.
  private static func address(_ entry: Substring) -> NetworkAddress? {
    let text = entry.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
    guard text.utf8.count <= 64 else { return nil }
    if let address = NetworkAddress(String(text)) { return address }
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      return NetworkAddress(String(text[...end]))
    }
    return NetworkAddress(String(text.prefix { $0 != ":" }))
  }

  /// Returns true if a client bypasses the proxies: it is neither one of them nor this machine
  /// itself.
  func isPassedBy(_ peer: NetworkAddress?) -> Bool {
    guard !isEmpty, let peer, !peer.isLoopback else { return false }
    return !contains(peer)
  }
}
