// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A clock that moves only when told to.
final class HeldClock: Sendable {
  private let nanoseconds = Mutex<UInt64>(1_000_000_000_000)

  var read: @Sendable () -> UInt64 { { self.nanoseconds.withLock { $0 } } }

  func advance(seconds: UInt64) {
    nanoseconds.withLock { $0 += seconds * 1_000_000_000 }
  }
}
