// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import People
import Plans
import Storage

extension AnswerConsequence {
  /// The consequence of an answer: programs that have a subscription are notified of the record.
  package static let subscriptions = AnswerConsequence("subscriptions") {
    (recorded, ledger) throws(AnswerError) in
    guard recorded.possible.mayNotify else { return }
    try storing { () throws(StorageError) in
      for administration in recorded.administrations {
        try EventNotificationStore.record(
          "MedicationAdministration", administration.text, patient: ledger.patient,
          at: ledger.context.now, in: ledger.writer)
      }
    }
  }
}

extension PlanConsequence {
  /// The consequence of a prescription: programs that have a subscription are notified of it.
  package static let subscriptions = PlanConsequence(
    "subscriptions"
  ) { (event, plan, patient, writer) throws(StorageError) in
    guard case .prescribed(let now) = event else { return }
    try EventNotificationStore.record(
      "MedicationRequest", plan.text, patient: patient, at: now, in: writer)
  }
}
