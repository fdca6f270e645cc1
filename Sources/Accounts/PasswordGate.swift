// SPDX-License-Identifier: Apache-2.0

import Storage

/// Runs password checks a few at a time on threads of their own.
///
/// One check takes 128 MiB; without a bound a burst of sign-ins would exhaust the machine, and on
/// the shared pool it would hold up every other request.
package actor PasswordGate {
  private let limit: Int
  private let queueLimit: Int
  private var running = 0
  /// Checks that were begun: by it tests see that an unknown address costs the same work.
  private(set) var begun = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init(limit: Int = 2, queueLimit: Int = 32) {
    self.limit = limit
    self.queueLimit = queueLimit
  }

  /// Runs the work when a place is free; refuses with ``AccountError/busy`` when the queue is full.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await enter()
    defer { leave() }
    begun += 1
    return try await offThePool(work)
  }

  private func enter() async throws {
    if running < limit {
      running += 1
      return
    }
    guard waiting.count < queueLimit else { throw AccountError.busy }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Hands the place to the next in line, or frees it.
  private func leave() {
    if waiting.isEmpty {
      running -= 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
