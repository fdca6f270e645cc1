// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// Slows down guessing: after five failures in a row an address waits, twice as long each time, up
/// to 15 minutes.
///
/// Success clears it. Held in memory; a bounded number of addresses is remembered.
package final class SignInThrottle: Sendable {
  private struct Failures: Sendable {
    var count: Int
    var last: Timestamp
  }

  private let failures = Mutex<[[UInt8]: Failures]>([:])
  private let free = 5
  private let longestWait: Int64 = 15 * 60_000
  private let capacity: Int

  package init(capacity: Int = 10_000) {
    self.capacity = capacity
  }

  /// Refuses while the address must wait.
  ///
  /// The key is a blind index: no address is kept in memory.
  package func check(_ key: [UInt8], at now: Timestamp) throws(AccountError) {
    guard let found = failures.withLock({ $0[key] }), found.count >= free else { return }
    let allowed = found.last.milliseconds + wait(after: found.count)
    guard now.milliseconds < allowed else { return }
    throw .tooManyAttempts(
      retryAfterSeconds: Int((allowed - now.milliseconds + 999) / 1000))
  }

  /// Counts a failed attempt.
  package func failed(_ key: [UInt8], at now: Timestamp) {
    failures.withLock { failures in
      if failures.count >= capacity {
        // The oldest half goes: an attacker who fills the table only slows himself down.
        let cut = failures.values.map(\.last).sorted()[failures.count / 2]
        failures = failures.filter { $0.value.last > cut }
      }
      failures[key, default: Failures(count: 0, last: now)].count += 1
      failures[key]?.last = now
    }
  }

  /// Forgets the failures of an address that signed in.
  package func succeeded(_ key: [UInt8]) {
    _ = failures.withLock { $0.removeValue(forKey: key) }
  }

  private func wait(after count: Int) -> Int64 {
    let doublings = min(count - free, 20)
    return min(longestWait, 1000 << Int64(doublings))
  }
}
