// SPDX-License-Identifier: Apache-2.0

import Accounts
import Storage
import Synchronization

/// The proofs of possession that this process accepted lately, so that none works twice.
///
/// A proof is good for a minute and a half, for one method and address, and only together with its token. Nodes that
/// share a database also record each proof there.
package final class UsedKeyProofs: Sendable {
  /// The most proofs that are remembered; beyond it, further ones are refused until older ones are over.
  private let capacity: Int
  private let state = Mutex<[String: Timestamp]>([:])

  /// Creates an empty memory.
  package init(capacity: Int = 100_000) {
    self.capacity = capacity
  }

  /// Remembers a proof; returns false if it was used before, or there is no room to know.
  package func note(_ proof: KeyProof, at now: Timestamp) -> Bool {
    state.withLock { used in
      if let until = used[proof.use], until > now { return false }
      if used.count >= capacity {
        used = used.filter { $0.value > now }
        guard used.count < capacity else { return false }
      }
      used[proof.use] = proof.expires
      return true
    }
  }
}
