// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling
import Storage

/// All that decides what may become of a late or forgotten dose, as values.
package struct ReschedulingSituation: Sendable {
  /// Another medicine that must keep its distance.
  package struct Neighbour: Sendable, Hashable {
    package let medicineName: String
    /// From the late dose, taken earlier, to the other one; nil where no time is known for this order.
    package var thenOther: Int64?
    /// From the other one, taken earlier, to the late dose.
    package var thenThis: Int64?
    /// The rows of the list that say it.
    package var rows: [String] = []
    /// When it was taken.
    package var taken: [Timestamp] = []
    /// When it is to be taken.
    package var coming: [Timestamp] = []

    package init(
      medicineName: String, thenOther: Int64? = nil, thenThis: Int64? = nil, rows: [String] = [],
      taken: [Timestamp] = [], coming: [Timestamp] = []
    ) {
      self.medicineName = medicineName
      self.thenOther = thenOther
      self.thenThis = thenThis
      self.rows = rows
      self.taken = taken
      self.coming = coming
    }
  }

  /// The late dose.
  let dose: DoseID
  let medicineName: String
  let amount: Amount?
  /// When it is taken: now, or when it was.
  let at: Timestamp
  /// Whether it was taken already, so that only what follows is still to be decided.
  let isTaken: Bool
  let rule: MissedDoseAdvice?
  /// What the rule comes to by the clock.
  let advice: MissAdvice
  /// The plan's minimum gap, in milliseconds.
  let gap: Int64?
  /// When the same medicine was taken near to that, by any plan.
  let near: [Timestamp]
  /// When something of the plan was taken last.
  let lastTaken: Timestamp?
  let coming: [ComingDose]
  let beyond: Timestamp?
  /// What limits count its intakes, with what was taken.
  let limits: [LimitCheck]
  /// What is to be taken of other plans that count for the same limits.
  let planned: [Intake]
  let neighbours: [Neighbour]
  let zone: Zone
  let rhythm: DailyRhythm
}
