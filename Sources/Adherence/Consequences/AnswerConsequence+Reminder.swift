// SPDX-License-Identifier: Apache-2.0

import Dosing
import People
import Plans
import Reminders
import Scheduling
import Storage

extension AnswerConsequence {
  /// Notifies the dose's reminder; a reopened dose without a reminder rings again.
  ///
  /// Reminders do not know answers, so this is next to the list.
  static let reminder = AnswerConsequence("reminder") { (recorded, ledger) throws(AnswerError) in
    guard let change = recorded.dose else { return }
    let (dose, now) = (change.before, ledger.context.now)
    try storing { () throws(StorageError) in
      if let subject = dose.reminder, subject != RingingDoses.never {
        try ReminderWake.subject(
          subject, patient: dose.patient, at: now,
          mayWait: change.state.isAnswered && dose.lateUntil <= now, in: ledger.writer)
      } else if change.state == .open, dose.storedState != .open, dose.due <= now {
        // Its time to ring may have passed unnoticed.
        let key = DoseKey(
          patient: dose.patient, plan: dose.id.plan, era: dose.id.era,
          occurrence: dose.id.occurrence.text)
        try DoseStore.release(key, ringsAt: now, in: ledger.writer)
      }
    }
  }
}
