// SPDX-License-Identifier: Apache-2.0
import NIOSSL
import Synchronization

/// One host and port, with its slots, circuit breaker, checked addresses and connections.
final class Destination: Sendable {
  struct Key: Sendable, Hashable {
    let isSecure: Bool
    let host: OutboundHost
    let port: Int
    let trust: CheckedURL.Trust

    init(_ url: CheckedURL) {
      isSecure = url.isSecure
      host = url.host
      port = url.port
      trust = url.trust
    }
  }

  /// A change of the circuit breaker that is logged for the operator.
  enum Turn: Sendable {
    case opened, closed
  }

  static let places = 8
  /// The number of slots on loopback, where the operator's own services can handle more.
  static let placesOnLoopback = 32
  /// The maximum number of addresses tried; the time limit allows no more.
  private static let attempts = 3

  private struct State {
    var breaker = CircuitBreaker()
    var client: PinnedClient?
    var isClosed = false
  }

  private let url: CheckedURL
  private let placeCount: Int
  private let trustRoots: NIOSSLTrustRoots?
  private let places: Bulkhead
  private let addresses: CheckedAddresses
  private let state = Mutex(State())
  private let monotonicNow: @Sendable () -> UInt64
  private let onTurn: @Sendable (Turn) -> Void

  init(
    _ url: CheckedURL, resolver: @escaping HostResolver, trustRoots: NIOSSLTrustRoots? = nil,
    monotonicNow: @escaping @Sendable () -> UInt64, onTurn: @escaping @Sendable (Turn) -> Void
  ) {
    self.url = url
    placeCount =
      url.trust == .operatorNamed && url.host.isLoopback ? Self.placesOnLoopback : Self.places
    places = Bulkhead(limit: placeCount)
    addresses = CheckedAddresses(of: url, resolver: resolver)
    self.trustRoots = trustRoots
    self.monotonicNow = monotonicNow
    self.onTurn = onTurn
  }

  /// True if it can be dropped: it has no requests and no recent failures.
  var isIdle: Bool { places.isEmpty && state.withLock { $0.breaker.isClosed } }

  func send(
    _ request: OutboundRequest, within deadline: CallDeadline
  ) async throws(OutboundError) -> OutboundResponse {
    // Fail at once, without waiting for a slot.
    let pause = state.withLock { $0.breaker.pauseSeconds(at: monotonicNow()) }
    if let pause { throw .circuitOpen(retryAfterSeconds: pause) }
    try await places.enter(within: deadline)
    defer { places.leave() }
    let admission = try admit()
    do throws(OutboundError) {
      let response = try await exchange(request, within: deadline)
      record(response.status >= 500 ? .failure : .success, of: admission)
      return response
    } catch {
      record(error.outcome, of: admission)
      throw error
    }
  }

  func shutdown() async {
    let client = state.withLock { state in
      state.isClosed = true
      defer { state.client = nil }
      return state.client
    }
    await client?.shutdown()
  }

  private func exchange(
    _ request: OutboundRequest, within deadline: CallDeadline
  ) async throws(OutboundError) -> OutboundResponse {
    let found = try await addresses.current(at: monotonicNow(), within: deadline)
    var last = OutboundError.resolution
    for address in found.prefix(Self.attempts) {
      let client = try client(at: address, isOnlyOne: found.count == 1)
      do throws(PinnedClient.Failure) {
        return try await client.send(request, within: deadline)
      } catch {
        last = error.error
        guard !error.hasSent, last == .connection || last == .timeout, !deadline.hasEnded else {
          throw last
        }
        addresses.putLast(address)
      }
    }
    throw last
  }

  /// Returns the connections to an address; those to another one end once their requests are answered.
  private func client(
    at address: IPAddress, isOnlyOne: Bool
  ) throws(OutboundError) -> PinnedClient {
    let (client, _) = try state.withLock {
      state throws(OutboundError) -> (PinnedClient, PinnedClient?) in
      if state.isClosed { throw .closed }
      if let client = state.client, client.address == address { return (client, nil) }
      let client = PinnedClient(
        host: url.host, address: address, connections: placeCount,
        connectSeconds: isOnlyOne ? 10 : 4, trustRoots: trustRoots)
      defer { state.client = client }
      // The previous client is released outside the lock.
      return (client, state.client)
    }
    return client
  }

  private func admit() throws(OutboundError) -> CircuitBreaker.Admission {
    let now = monotonicNow()
    return try state.withLock { state throws(OutboundError) in
      if state.isClosed { throw .closed }
      guard let admission = state.breaker.admit(at: now) else {
        throw .circuitOpen(retryAfterSeconds: state.breaker.pauseSeconds(at: now) ?? 1)
      }
      return admission
    }
  }

  private func record(_ outcome: CircuitBreaker.Outcome, of admission: CircuitBreaker.Admission) {
    let now = monotonicNow()
    let turn = state.withLock { state -> Turn? in
      guard state.breaker.record(outcome, of: admission, at: now) else { return nil }
      return state.breaker.isClosed ? .closed : .opened
    }
    if let turn { onTurn(turn) }
  }
}

extension OutboundError {
  /// The meaning of the error for the host's health.
  var outcome: CircuitBreaker.Outcome {
    switch self {
    case .resolution, .timeout, .connection, .tls: .failure
    case .responseTooLarge: .success
    case .notAllowed, .privateAddress, .circuitOpen, .closed: .unknown
    }
  }
}
