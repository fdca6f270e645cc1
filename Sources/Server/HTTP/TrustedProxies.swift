// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// What is believed of the proxies in front, and of nobody else.
///
/// `X-Forwarded-For` is not read at all: nothing here depends on where a client sits.
package struct TrustedProxies: Sendable, Hashable {
  let ranges: [NetworkRange]

  package init(_ ranges: [NetworkRange]) {
    self.ranges = ranges
  }

  var isEmpty: Bool { ranges.isEmpty }

  /// Whether the peer of a connection is one of them.
  func contains(_ peer: NetworkAddress?) -> Bool {
    guard let peer else { return false }
    return ranges.contains { $0.contains(peer) }
  }

  /// Whether the client came by https, as the proxy says.
  ///
  /// Several proxies in a row may each add their word; then all of them must say https, since the
  /// first word may be the client's own.
  func sayHTTPS(_ headers: HTTPFields, peer: NetworkAddress?) -> Bool {
    guard contains(peer), let text = headers[.xForwardedProto] else { return false }
    return text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { word in
      word.drop { $0 == " " }.lowercased().prefix { $0 != " " } == "https"
    }
  }

  /// Whether somebody reaches past the proxies: neither one of them nor this machine itself.
  func isPassedBy(_ peer: NetworkAddress?) -> Bool {
    guard !isEmpty, let peer, !peer.isLoopback else { return false }
    return !contains(peer)
  }
}
