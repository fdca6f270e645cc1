// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling
import Storage

/// The facts that decide the advice on a late or forgotten dose, as plain values.
package struct ReschedulingSituation: Sendable {
  /// Another medicine that must keep its distance from the late one.
  package struct Neighbour: Sendable, Hashable {
    /// The name shown to people.
    package let medicineName: String
    /// The minimum time from the late dose to a later dose of the other medicine, in milliseconds;
    /// nil if none is known for this order.
    package var thenOther: Int64?
    /// The minimum time from a dose of the other medicine to the late dose, in milliseconds; nil if
    /// none is known for this order.
    package var thenThis: Int64?
    /// The identifiers of the interaction rows that require it.
    package var rows: [String] = []
    /// The times at which it was taken.
    package var taken: [Timestamp] = []
    /// The times at which it is planned.
    package var coming: [Timestamp] = []

    /// Creates a neighbour; times between medicines are in milliseconds.
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
  /// The time at which the dose is or was taken.
  let at: Timestamp
  /// True if it was already taken, so that only the following doses are to be decided.
  let isTaken: Bool
  let rule: MissedDoseAdvice?
  /// The advice of the rule, by the clock.
  let advice: MissAdvice
  /// The plan's minimum gap, in milliseconds.
  let gap: Int64?
  /// The times of nearby intakes of the same medicine, from any plan.
  let near: [Timestamp]
  /// The last intake of the plan.
  let lastTaken: Timestamp?
  let coming: [ComingDose]
  let beyond: Timestamp?
  /// The limits that count its intakes, with those intakes.
  let limits: [LimitCheck]
  /// The planned doses of other plans that count towards the same limits.
  let planned: [Intake]
  let neighbours: [Neighbour]
  let zone: Zone
  let rhythm: DailyRhythm
}
