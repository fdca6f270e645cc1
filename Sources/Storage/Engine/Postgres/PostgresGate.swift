// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Spaces out the attempts to reach a database that does not answer: callers in between fail at once instead
/// of waiting.
final class PostgresGate: Sendable {
  private struct State {
    var failures = 0
    var closedUntil: UInt64 = 0
  }

  private static let firstPause: UInt64 = 250_000_000
  private static let longestPause: UInt64 = 2_000_000_000
  private let state = Mutex(State())
  private let uptime: @Sendable () -> UInt64

  init(uptime: @escaping @Sendable () -> UInt64) {
    self.uptime = uptime
  }

  var isOpen: Bool {
    let now = uptime()
    return state.withLock { now >= $0.closedUntil }
  }

  func succeeded() {
    state.withLock { $0 = State() }
  }

  func failed() {
    let now = uptime()
    state.withLock { state in
      // Several threads that notice together count as one failure.
      guard now >= state.closedUntil else { return }
      let pause = min(Self.firstPause << UInt64(min(state.failures, 4)), Self.longestPause)
      state.failures += 1
      state.closedUntil = now &+ pause
    }
  }
}
