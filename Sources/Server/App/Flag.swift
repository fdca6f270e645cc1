// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Something that has happened once, for all who ask.
final class Flag: Sendable {
  private let state = Mutex(false)

  var isRaised: Bool { state.withLock { $0 } }

  func raise() {
    state.withLock { $0 = true }
  }
}
