// SPDX-License-Identifier: Apache-2.0

import Storage

/// The final outcome of a planned dose.
package enum DoseOutcome: String, Sendable, Hashable, CaseIterable {
  /// Taken within the on-time window.
  case taken
  /// Taken after the on-time window, no matter how late.
  case late
  case skipped
  case refused
  /// No answer by the end of the late window.
  case missed
  /// Withheld by a rule, with no decision by the end of the late window.
  case withheld

  /// Returns the outcome of a dose; nil while it is open, and if it was cancelled.
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
