// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Plans
import Storage

/// Something that was taken, or deliberately not taken, outside the planned doses.
package struct ExtraRecord: Sendable, Hashable {
  /// The id of the MedicationAdministration.
  package let administration: AdministrationID
  /// nil for a medicine without a plan.
  package let plan: PlanID?
  package let medicineName: String
  package let taken: Bool
  package let at: Timestamp
  package let recorded: Timestamp
  package let by: String
  package let reason: String?
  package let amount: Amount?
}

/// One line of the history.
package enum HistoryEntry: Sendable, Hashable {
  case dose(Dose)
  case extra(ExtraRecord)

  /// When a dose was due, or when an extra was taken.
  package var moment: Timestamp {
    switch self {
    case .dose(let dose): dose.due
    case .extra(let record): record.at
    }
  }

  /// Parts lines of the same moment, always in the same way.
  package var key: String {
    switch self {
    case .dose(let dose): dose.id.text
    case .extra(let record): record.administration.text
    }
  }
}
