// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// The time of a background loop's last round, which `/health` checks.
package final class Heartbeat: Sendable {
  /// Creates the heartbeat of a loop that has not run yet.
  package init() {}

  private let last = Mutex<Timestamp?>(nil)

  /// Records that the loop has completed a round.
  package func beat(at now: Timestamp) {
    last.withLock { $0 = now }
  }

  /// Returns true if the loop completed a round within the last minute, or has not run yet.
  package func isAlive(at now: Timestamp) -> Bool {
    last.withLock { last in
      guard let last else { return true }
      return now.milliseconds - last.milliseconds < 60_000
    }
  }
}
