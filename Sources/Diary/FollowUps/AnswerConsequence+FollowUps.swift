// SPDX-License-Identifier: Apache-2.0

import Dosing
import People
import Storage

extension AnswerConsequence {
  /// Sets the question whether an as-needed dose helped, and withdraws it with the dose.
  ///
  /// Answers to doses at set times execute nothing.
  package static let followUps = AnswerConsequence(
    "follow-ups"
  ) { (recorded, ledger) throws(AnswerError) in
    guard case .plan(let plan) = recorded.place else { return }
    switch recorded.intake {
    case .counted(let administration, let intake)?, .recounted(let administration, let intake)?:
      try storing { () throws(StorageError) in
        try FollowUpCommands.ask(
          about: administration, of: plan, taken: intake.taken, patient: ledger.patient,
          context: ledger.context, in: ledger.writer)
      }
    case .uncounted(let administration)?:
      try FollowUpCommands.withdraw(
        administration, patient: ledger.patient, context: ledger.context, in: ledger.writer)
    case .linked?, nil: return
    }
  }
}
