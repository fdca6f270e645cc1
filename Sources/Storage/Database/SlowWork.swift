// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs slow work on its own thread, so that it does not block one that all tasks share.
///
/// It needs a real thread: on Linux, Dispatch queues have no more threads than there are processors and share
/// them with tasks, so that two slow pieces of work could block every request.
package func offThePool<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread {
      giveWay()
      continuation.resume(with: Result { try work() })
    }
    thread.name = "slow work"
    thread.start()
  }
}

/// Lowers the priority of the calling thread below all others on the machine.
package func giveWay() {
  // On Linux 0 means the calling thread, not its process.
  setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
}
