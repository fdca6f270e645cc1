// SPDX-License-Identifier: Apache-2.0
import Logging
import NIOSSL
import Synchronization

/// The HTTP client for all requests to other servers.
///
/// It calls only hosts of its policy, at addresses that it resolved and checked itself, follows no redirects,
/// keeps no cookies, uses no proxy and decompresses no responses. Each host has its own slots and circuit
/// breaker.
package final class OutboundClient: Sendable {
  private struct Entry {
    let destination: Destination
    var lastUsed: UInt64
  }

  private struct State {
    var destinations: [Destination.Key: Entry] = [:]
    var isClosed = false
  }

  /// The maximum number of hosts remembered: with a wildcard rule, callers can name any number of them.
  static let rememberedHosts = 256

  private let policy: OutboundPolicy
  private let monotonicNow: @Sendable () -> UInt64
  private let logger: Logger
  private let trustRoots: NIOSSLTrustRoots?
  private let systemResolver: SystemResolver?
  private let resolver: HostResolver
  private let state = Mutex(State())

  /// Creates a client.
  ///
  /// - Parameters:
  package init(
    policy: OutboundPolicy, monotonicNow: @escaping @Sendable () -> UInt64, logger: Logger,
    resolver: HostResolver? = nil, trustRoots: NIOSSLTrustRoots? = nil
  ) {
    self.policy = policy
    self.monotonicNow = monotonicNow
    self.logger = logger
    self.trustRoots = trustRoots
    if let resolver {
      systemResolver = nil
      self.resolver = resolver
    } else {
      let system = SystemResolver()
      systemResolver = system
      self.resolver = { try await system.addresses(of: $0) }
    }
  }

  /// Sends a request and returns the response, whatever its status.
  package func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
    guard policy.permits(request.url) else { throw .notAllowed(.hostNotListed) }
    guard request.hasCleanHead else { throw .notAllowed(.header) }
    let destination = try destination(for: request.url)
    let deadline = CallDeadline(seconds: request.timeoutSeconds)
    defer { deadline.stop() }
    let result = await withTaskCancellationHandler {
      () async -> Result<OutboundResponse, OutboundError> in
      do throws(OutboundError) {
        return .success(try await destination.send(request, within: deadline))
      } catch {
        return .failure(error)
      }
    } onCancel: {
      deadline.end(.closed)
    }
    return try result.get()
  }

  /// Ends all requests and connections; further requests fail with ``OutboundError/closed``.
  package func shutdown() async {
    let destinations = state.withLock { state in
      state.isClosed = true
      defer { state.destinations = [:] }
      return state.destinations.values.map(\.destination)
    }
    for destination in destinations { await destination.shutdown() }
    systemResolver?.shutdown()
  }

  var rememberedCount: Int { state.withLock { $0.destinations.count } }

  private func destination(for url: CheckedURL) throws(OutboundError) -> Destination {
    let key = Destination.Key(url)
    let now = monotonicNow()
    return try state.withLock { state throws(OutboundError) in
      if state.isClosed { throw .closed }
      if let known = state.destinations[key] {
        state.destinations[key]?.lastUsed = now
        return known.destination
      }
      if state.destinations.count >= Self.rememberedHosts { forgetOne(in: &state) }
      let destination = Destination(
        url, resolver: resolver, trustRoots: trustRoots, monotonicNow: monotonicNow
      ) { [logger, policy] turn in
        // Text that people typed, such as the host of their webhook, is private.
        let host = Logger.MetadataValue.string(
          policy.configuredName(of: url) ?? "named by a person")
        switch turn {
        case .opened:
          logger.warning("A host fails and is skipped for a while", metadata: ["host": host])
        case .closed: logger.notice("A host answers again", metadata: ["host": host])
        }
      }
      state.destinations[key] = Entry(destination: destination, lastUsed: now)
      return destination
    }
  }

  /// Drops the idle host that was used longest ago; if none is idle, the limit is exceeded for a while.
  private func forgetOne(in state: inout State) {
    let idle = state.destinations.filter { $0.value.destination.isIdle }
    if let oldest = idle.min(by: { $0.value.lastUsed < $1.value.lastUsed }) {
      state.destinations[oldest.key] = nil
    }
  }
}
