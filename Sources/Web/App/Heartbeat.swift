// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// When a loop last came round; `/health` looks at it.
package final class Heartbeat: Sendable {
  package init() {}

  private let last = Mutex<Timestamp?>(nil)

  package func beat(at now: Timestamp) {
    last.withLock { $0 = now }
  }

  /// Whether the loop came round within the last minute.
  ///
  /// Before its first round there is nothing to complain about.
  package func isAlive(at now: Timestamp) -> Bool {
    last.withLock { last in
      guard let last else { return true }
      return now.milliseconds - last.milliseconds < 60_000
    }
  }
}
