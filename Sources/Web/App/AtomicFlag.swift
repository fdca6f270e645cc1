// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A flag that is raised once and read from any task.
package final class AtomicFlag: Sendable {
  /// Creates a flag that is not raised.
  package init() {}

  private let state = Mutex(false)

  /// True if ``raise()`` was called.
  package var isRaised: Bool { state.withLock { $0 } }

  /// Raises the flag, which can't be lowered again.
  package func raise() {
    state.withLock { $0 = true }
  }
}
