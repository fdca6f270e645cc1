// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Synchronization

/// The patients whose data has changed, for the one service that follows everyone.
///
/// Like ``LiveEvents``, it carries no content: its follower reads the database.
package final class FollowedChanges: Sendable {
  private struct State {
    var isFollowed = false
    var patients: Set<PatientID> = []
    /// True if it may be any patient.
    var isAny = true
  }

  /// The most patients that are remembered one by one.
  private static let most = 100_000

  private let state = Mutex(State())
  /// The signal that wakes the follower.
  package let wake = WakeSignal()

  init() {}

  /// Notes the patients of a change; nil if it may be any.
  func note(_ patients: Set<PatientID>?) {
    let isFollowed = state.withLock { state in
      guard state.isFollowed else { return false }
      if let patients, state.patients.count + patients.count <= Self.most {
        state.patients.formUnion(patients)
      } else {
        state.isAny = true
        state.patients = []
      }
      return true
    }
    if isFollowed { wake.ring() }
  }

  /// Returns the patients whose data has changed since the last call; nil if it may be any, as at the first call.
  package func take() -> Set<PatientID>? {
    state.withLock { state in
      state.isFollowed = true
      let (patients, isAny) = (state.patients, state.isAny)
      state.patients = []
      state.isAny = false
      return isAny ? nil : patients
    }
  }

  /// Ends following, so that nothing is remembered until the next call of ``take()``.
  package func end() {
    state.withLock { $0 = State() }
  }
}
