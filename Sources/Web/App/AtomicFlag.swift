// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Something that has happened once, for all who ask.
package final class AtomicFlag: Sendable {
  package init() {}

  private let state = Mutex(false)

  package var isRaised: Bool { state.withLock { $0 } }

  package func raise() {
    state.withLock { $0 = true }
  }
}
