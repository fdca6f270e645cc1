// SPDX-License-Identifier: Apache-2.0

import Dosing
import People
import Plans
import Reminders
import Scheduling
import Storage

extension AnswerConsequence {
  /// Tells the dose's reminder; a dose that is open again and that no reminder holds rings anew.
  ///
  /// Reminders know nothing of answers, so it is written next to the list.
  static let reminder = AnswerConsequence("reminder") { (recorded, ledger) throws(AnswerError) in
    guard let change = recorded.dose else { return }
    let (dose, now) = (change.before, ledger.context.now)
    try storing { () throws(StorageError) in
      if let subject = dose.reminder, subject != RingingDoses.never {
        try ReminderWake.subject(
          subject, patient: dose.patient, at: now,
          mayWait: change.state.isAnswered && dose.lateUntil <= now, in: ledger.writer)
      } else if change.state == .open, dose.storedState != .open, dose.due <= now {
        // Its time to ring may have passed unseen.
        let key = DoseKey(
          patient: dose.patient, plan: dose.id.plan, era: dose.id.era,
          occurrence: dose.id.occurrence.text)
        try DoseStore.release(key, ringsAt: now, in: ledger.writer)
      }
    }
  }
}
