// SPDX-License-Identifier: Apache-2.0

import Storage

/// What became of a planned dose once it can be told.
package enum DoseOutcome: String, Sendable, Hashable, CaseIterable {
  /// Within the on-time window.
  case taken
  /// After the on-time window, however long after.
  case late
  case skipped
  case refused
  /// Nothing was said by the end of the late window.
  case missed
  /// Held back by a rule, and nobody decided by the end of the late window.
  case withheld

  /// The outcome of a dose as it stands; nil while it is open, and for one that was called off.
  package init?(of dose: Dose, now: Timestamp) {
    switch dose.state {
    case .taken: self = dose.isLate ? .late : .taken
    case .skipped: self = .skipped
    case .refused: self = .refused
    case .missed: self = .missed
    case .withheld where dose.lateUntil <= now: self = .withheld
    case .withheld, .scheduled, .due, .later, .cancelled: return nil
    }
  }
}
