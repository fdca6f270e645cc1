// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Wakes a loop from its pause; a ring while the loop is busy skips its next pause.
package final class WakeSignal: Sendable {
  /// Creates a signal that has not been rung.
  package init() {}

  private struct State {
    var isRung = false
    var sleeper: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// Wakes the loop.
  package func ring() {
    state.withLock { state in
      state.isRung = true
      state.sleeper?.cancel()
    }
  }

  /// Returns when rung, after the duration, or when the task is cancelled.
  package func wait(atMost duration: Duration) async {
    guard duration > .zero else {
      state.withLock { $0.isRung = false }
      return
    }
    let sleeper = state.withLock { state -> Task<Void, Never>? in
      guard !state.isRung else { return nil }
      let sleeper = Task<Void, Never> { try? await Task.sleep(for: duration) }
      state.sleeper = sleeper
      return sleeper
    }
    if let sleeper {
      await withTaskCancellationHandler {
        await sleeper.value
      } onCancel: {
        sleeper.cancel()
      }
    }
    state.withLock { state in
      state.isRung = false
      state.sleeper = nil
    }
  }
}
