// SPDX-License-Identifier: Apache-2.0
import Storage

/// The state of a dose at a given moment.
package enum DoseState: String, Sendable, Hashable, CaseIterable {
  case scheduled, due, later, taken, skipped, refused, missed, withheld, cancelled

  /// The state that is stored in the row; the others follow from the clock.
  package enum Stored: String, Sendable, Hashable, CaseIterable {
    case open, taken, skipped, refused, withheld, cancelled

    /// True if the dose was taken, skipped or refused.
    package var isAnswered: Bool { self == .taken || self == .skipped || self == .refused }
  }

  /// Returns the state at `now`; `missed`, `due` and `later` are computed from the clock and never
  /// stored.
  package static func at(
    _ now: Timestamp, stored: Stored, due: Timestamp, lateUntil: Timestamp, laterUntil: Timestamp?
  ) -> DoseState {
    switch stored {
    case .taken: .taken
    case .skipped: .skipped
    case .refused: .refused
    case .withheld: .withheld
    case .cancelled: .cancelled
    case .open:
      if let laterUntil, now < laterUntil {
        .later
      } else if now < due {
        .scheduled
      } else if now < lateUntil {
        .due
      } else {
        .missed
      }
    }
  }

  /// True if the dose was taken, skipped or refused.
  package var isAnswered: Bool {
    self == .taken || self == .skipped || self == .refused
  }
}

/// A reason for which a row is withheld or cancelled, stored in `doses.state_reason`.
package enum DoseStateReason: String, Sendable, Hashable, CaseIterable {
  /// The plan was edited.
  case edit
  /// The patient's time zone changed.
  case zoneChange = "zone-change"
  /// The plan was stopped, completed or otherwise left the active state for good.
  case stopped
  /// The plan was put on hold: it may go on.
  case paused
  /// The changed request gives no doses.
  case unplanned
}
