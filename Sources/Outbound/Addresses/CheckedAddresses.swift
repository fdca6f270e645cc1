// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The addresses of one host that were looked up and may be connected to.
///
/// Connections are made to these addresses and never to the name, so that a name whose answer changes a
/// moment later leads nowhere else (DNS rebinding).
final class CheckedAddresses: Sendable {
  /// The validity of a lookup, in nanoseconds.
  static let lifetime: UInt64 = 60_000_000_000
  /// The time for which checked addresses are still used while the name cannot be resolved, in nanoseconds.
  static let graceLifetime: UInt64 = 600_000_000_000
  /// The pause before the next lookup after a failed one, in nanoseconds.
  static let pauseAfterFailure: UInt64 = 5_000_000_000

  private struct State {
    var addresses: [IPAddress] = []
    var found: UInt64 = 0
    var goodUntil: UInt64 = 0
    var isResolving = false
    var waiting: [Ticket<[IPAddress]>] = []
  }

  private let url: CheckedURL
  private let resolver: HostResolver
  private let state = Mutex(State())

  init(of url: CheckedURL, resolver: @escaping HostResolver) {
    self.url = url
    self.resolver = resolver
  }

  /// Returns the addresses, at least one, the preferred one first.
  func current(
    at now: UInt64, within deadline: CallDeadline
  ) async throws(OutboundError) -> [IPAddress] {
    if case .literal(let address) = url.host {
      guard url.permits(address) else { throw .privateAddress }
      return [address]
    }
    if let known = state.withLock({ $0.goodUntil > now ? $0.addresses : nil }) { return known }
    return try await deadline.wait { ticket in
      let isFirst = state.withLock { state -> Bool in
        state.waiting.append(ticket)
        defer { state.isResolving = true }
        return !state.isResolving
      }
      if isFirst { resolve(at: now) }
    }
  }

  /// Prefers the other addresses from now on, because this one could not be reached.
  func putLast(_ address: IPAddress) {
    state.withLock { state in
      guard let index = state.addresses.firstIndex(of: address) else { return }
      state.addresses.append(state.addresses.remove(at: index))
    }
  }

  /// Starts one lookup for all callers; it continues if they give up.
  private func resolve(at now: UInt64) {
    let name = url.host.text
    Task {
      let answer = try? await resolver(name)
      let (tickets, result) = state.withLock { state in
        let result = take(answer, at: now, into: &state)
        state.isResolving = false
        defer { state.waiting = [] }
        return (state.waiting, result)
      }
      for ticket in tickets { ticket.resume(result) }
    }
  }

  private func take(
    _ answer: [IPAddress]?, at now: UInt64, into state: inout State
  ) -> Result<[IPAddress], OutboundError> {
    guard let answer, !answer.isEmpty else {
      guard !state.addresses.isEmpty, now &- state.found < Self.graceLifetime else {
        return .failure(.resolution)
      }
      state.goodUntil = now &+ Self.pauseAfterFailure
      return .success(state.addresses)
    }
    var permitted = answer.filter(url.permits)
    guard !permitted.isEmpty else {
      state.addresses = []
      state.goodUntil = 0
      return .failure(.privateAddress)
    }
    // The address in use stays first while the name still resolves to it, because its connections are open.
    if let used = state.addresses.first, let index = permitted.firstIndex(of: used) {
      permitted.insert(permitted.remove(at: index), at: 0)
    }
    state.addresses = permitted
    state.found = now
    state.goodUntil = now &+ Self.lifetime
    return .success(permitted)
  }
}
