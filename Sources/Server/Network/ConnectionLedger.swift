// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts the open connections of each network, so that no client alone can take all places.
///
/// This machine itself and the proxies in front are not counted: behind them stand many.
package final class ConnectionLedger: Sendable {
  private let open = Mutex<[NetworkAddress: Int]>([:])
  private let limit: Int
  private let proxies: TrustedProxies

  package init(limit: Int, proxies: TrustedProxies) {
    self.limit = limit
    self.proxies = proxies
  }

  /// What a connection has taken; given back with ``leave(_:)``.
  enum Place: Sendable, Equatable {
    case uncounted
    case counted(NetworkAddress)
  }

  /// A place for a connection of that peer; nil when its network has as many as it may.
  func enter(_ peer: NetworkAddress?) -> Place? {
    guard let peer, !peer.isLoopback, !proxies.contains(peer) else { return .uncounted }
    let network = peer.network
    let isFree = open.withLock { open in
      let count = open[network, default: 0]
      guard count < limit else { return false }
      open[network] = count + 1
      return true
    }
    return isFree ? .counted(network) : nil
  }

  /// Gives a place back.
  func leave(_ place: Place) {
    guard case .counted(let network) = place else { return }
    open.withLock { open in
      let count = open[network, default: 0] - 1
      open[network] = count > 0 ? count : nil
    }
  }

  /// How many connections are counted.
  var count: Int { open.withLock { $0.values.reduce(0, +) } }
}

extension NetworkAddress {
  /// What one household or one machine has to itself: an IPv4 address, or an IPv6 range of 64 bits,
  /// within which addresses cost nothing.
  var network: NetworkAddress {
    isIPv6 ? NetworkRange(around: self, prefixLength: 64).first : self
  }
}
