// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts the open connections, in total and per network, so that no single client can take all
/// places, and all clients together leave files for everything else.
///
/// This machine and the proxies in front have no limit of their own, since they serve many clients.
package final class ConnectionLedger: Sendable {
  private let open = Mutex<[NetworkAddress: Int]>([:])
  private let all = Mutex(0)
  private let limit: Int
  private let total: Int
  private let proxies: TrustedProxies

  /// Creates a ledger without open connections.
  ///
  /// - Parameters:
  ///   - limit: The most connections from one network.
  ///   - total: The most connections from all networks together.
  ///   - proxies: The proxies that have no limit of their own.
  package init(limit: Int, total: Int = .max, proxies: TrustedProxies) {
    self.limit = limit
    self.total = total
    self.proxies = proxies
  }

  /// A place for a connection; released with ``leave(_:)``.
  enum Place: Sendable, Equatable {
    case uncounted
    case counted(NetworkAddress)
  }

  /// The reason that a connection is refused.
  enum Refusal: Error, Equatable {
    /// Its network has reached its limit.
    case network
    /// The server has reached its limit.
    case server
  }

  /// Takes a place for a connection of a peer.
  func enter(_ peer: NetworkAddress?) throws(Refusal) -> Place {
    let isFull = all.withLock { all in
      guard all < total else { return true }
      all += 1
      return false
    }
    if isFull { throw .server }
    guard let place = place(for: peer) else {
      all.withLock { $0 -= 1 }
      throw .network
    }
    return place
  }

  private func place(for peer: NetworkAddress?) -> Place? {
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

  /// Releases a place.
  func leave(_ place: Place) {
    all.withLock { $0 -= 1 }
    guard case .counted(let network) = place else { return }
    open.withLock { open in
      let count = open[network, default: 0] - 1
      open[network] = count > 0 ? count : nil
    }
  }

  /// The number of connections that count against their network.
  var count: Int { open.withLock { $0.values.reduce(0, +) } }
}

extension NetworkAddress {
  /// The address range of one household or machine: an IPv4 address, or the first 64 bits of an
  /// IPv6 address, since addresses within it are free.
  var network: NetworkAddress {
    isIPv6 ? NetworkRange(around: self, prefixLength: 64).first : self
  }
}
