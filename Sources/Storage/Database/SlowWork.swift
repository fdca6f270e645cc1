// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs slow work on a thread of its own: it must not hold one of those that all tasks share.
///
/// A thread in the full sense: on Linux the queues of Dispatch have no more threads than there are
/// processors, and tasks share them, so that two slow pieces of work there would hold up every request.
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

/// Lets all other threads of the machine go first from now on, for the thread that calls it.
package func giveWay() {
  // On Linux 0 stands for the calling thread, not for its process.
  setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
}
