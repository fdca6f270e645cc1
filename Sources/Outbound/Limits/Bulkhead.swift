// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A limited number of slots; callers without one wait in line, within their time limit.
///
/// A slow host therefore delays only its own requests.
package final class Bulkhead: Sendable {
  private struct State {
    var taken = 0
    /// The line, from `next` on; callers that gave up stay in it and are skipped.
    var line: [Ticket<Void>] = []
    var next = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Creates a bulkhead with at least one slot.
  package init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// Takes a slot, to be returned with ``leave()``.
  ///
  /// Throws if the time limit passes while the caller waits.
  package func enter(within deadline: CallDeadline) async throws(OutboundError) {
    if tryEnter() { return }
    let isIn: Void = try await deadline.wait { ticket in
      let isFree = state.withLock { state -> Bool in
        if state.taken < limit {
          state.taken += 1
          return true
        }
        state.line.append(ticket)
        return false
      }
      // A caller that gave up in between does not keep the slot.
      if isFree, !ticket.resume(.success(())) { leave() }
    }
    return isIn
  }

  private func tryEnter() -> Bool {
    state.withLock { state in
      guard state.taken < limit else { return false }
      state.taken += 1
      return true
    }
  }

  /// Passes the slot to the next in line, or frees it.
  package func leave() {
    while let next = passOn() {
      if next.resume(.success(())) { return }
    }
  }

  private func passOn() -> Ticket<Void>? {
    state.withLock { state in
      guard state.next < state.line.count else {
        state.line.removeAll(keepingCapacity: state.line.capacity <= 1024)
        state.next = 0
        state.taken -= 1
        return nil
      }
      defer {
        state.next += 1
        if state.next >= 1024, state.next * 2 >= state.line.count {
          state.line.removeFirst(state.next)
          state.next = 0
        }
      }
      return state.line[state.next]
    }
  }

  /// True if no slot is taken.
  package var isEmpty: Bool { state.withLock { $0.taken == 0 } }

  /// The number of callers in line, including those that gave up.
  var waitingCount: Int { state.withLock { $0.line.count - $0.next } }
}
