// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Plans
import Storage

/// An intake, or a medicine skipped on purpose, outside the planned doses.
package struct ExtraRecord: Sendable, Hashable {
  /// The identifier of the MedicationAdministration.
  package let administration: AdministrationID
  /// The plan that it counts for; nil for a medicine without a plan.
  package let plan: PlanID?
  /// The name shown to people.
  package let medicineName: String
  /// True if it was taken, false if it was skipped on purpose.
  package let taken: Bool
  /// The time at which it was taken or skipped.
  package let at: Timestamp
  /// The time at which it was recorded.
  package let recorded: Timestamp
  /// The name of the person or system that recorded it.
  package let by: String
  /// The person's own words; nil if none were given.
  package let reason: String?
  /// The amount taken, without a unit code; nil if it is not known.
  package let amount: Amount?
}

/// One line of the history.
package enum HistoryEntry: Sendable, Hashable {
  case dose(Dose)
  case extra(ExtraRecord)

  /// The time at which a dose was due, or an extra was taken or skipped.
  package var moment: Timestamp {
    switch self {
    case .dose(let dose): dose.due
    case .extra(let record): record.at
    }
  }

  /// The identifier that orders lines of the same time consistently.
  package var key: String {
    switch self {
    case .dose(let dose): dose.id.text
    case .extra(let record): record.administration.text
    }
  }
}
