// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage

/// One thing that follows from an answer, carried out in the answer's transaction.
///
/// Consequences that ``PossibleConsequences`` rules out execute no statement.
///
/// A new consequence is one more line of ``inOrder`` and one more row of the table in `AnswerConsequenceTests`.
struct AnswerConsequence: Sendable {
  let name: String
  let carryOut: @Sendable (AnswerRecorded, AnswerLedger) throws(AnswerError) -> Void

  /// All consequences; a later one may read what the earlier ones wrote.
  static let inOrder: [AnswerConsequence] = [
    AnswerConsequence("intakes", countIntake),
    AnswerConsequence("stock", bookStock),
    AnswerConsequence("reminder", wakeReminder),
    AnswerConsequence("rollup", renewRollup),
    AnswerConsequence("heart-rate warnings", silenceWarnings),
    AnswerConsequence("messages", wakeMessages),
    AnswerConsequence("doses timed from the last intake", followIntake),
    AnswerConsequence("doses moved for a late one", reviewMovedDoses),
  ]

  private init(
    _ name: String,
    _ carryOut: @escaping @Sendable (AnswerRecorded, AnswerLedger) throws(AnswerError) -> Void
  ) {
    self.name = name
    self.carryOut = carryOut
  }
}

/// Keeps the intakes that the double-dose question, limits and dose times read.
private func countIntake(
  _ recorded: AnswerRecorded, _ ledger: AnswerLedger
) throws(AnswerError) {
  try storing { () throws(StorageError) in
    switch recorded.intake {
    case nil:
      break
    case .counted(let administration, let intake), .recounted(let administration, let intake):
      try AnswerStore.count(
        IntakeRow(
          intake, administration, at: recorded.place, patient: ledger.patient,
          context: ledger.context), in: ledger.writer)
    case .uncounted(let administration):
      try AnswerStore.uncount(administration, patient: ledger.patient, in: ledger.writer)
    case .linked(let administrations):
      guard let plan = recorded.place.plan else { return }
      for administration in administrations {
        try AnswerStore.linkIntake(
          administration, to: plan, patient: ledger.patient, at: ledger.context.now,
          in: ledger.writer)
      }
    }
  }
}

/// Books what was taken from the stock at home, and puts back what was not taken after all.
private func bookStock(_ recorded: AnswerRecorded, _ ledger: AnswerLedger) throws(AnswerError) {
  try storing { () throws(StorageError) in
    switch recorded.intake {
    case nil, .linked:
      break
    case .counted(let administration, let intake):
      try ledger.bookStock(administration, of: intake, from: recorded.possible.stock)
    case .recounted(let administration, let intake):
      try ledger.unbookStock(administration)
      // Units put back are in the packs again.
      try ledger.bookStock(administration, of: intake, from: recorded.possible.stock.again)
    case .uncounted(let administration):
      try ledger.unbookStock(administration)
    }
  }
}

/// Tells the dose's reminder; a dose that is open again and that no reminder holds rings anew.
private func wakeReminder(_ recorded: AnswerRecorded, _ ledger: AnswerLedger) throws(AnswerError) {
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

/// Has the statistics of a month that has ended put together again.
private func renewRollup(_ recorded: AnswerRecorded, _ ledger: AnswerLedger) throws(AnswerError) {
  guard let dose = recorded.dose?.before else { return }
  try storing { () throws(StorageError) in
    try FigureFolding.changed(
      dose.due, closed: dose.closedMonths, plan: dose.id.plan, patient: dose.patient,
      now: ledger.context.now, zones: ledger.context.zones, in: ledger.writer)
  }
}

/// Ends a question about the resting heart rate once the doses that it is about are recorded.
private func silenceWarnings(
  _ recorded: AnswerRecorded, _ ledger: AnswerLedger
) throws(AnswerError) {
  guard let fact = recorded.fact, recorded.place.plan != nil, recorded.possible.hasWarning
  else { return }
  try storing { () throws(StorageError) in
    try WarningSilence.heard(
      fact, patient: ledger.patient, at: ledger.context.now, in: ledger.writer)
  }
}

/// Has the rules for messages to relatives and doctors look at the person again.
private func wakeMessages(_ recorded: AnswerRecorded, _ ledger: AnswerLedger) throws(AnswerError) {
  guard recorded.place.plan != nil,
    recorded.possible.mayWakeMessages(at: ledger.context.now)
  else { return }
  try storing { () throws(StorageError) in
    try MessageEngine.wake(ledger.patient, at: ledger.context.now, in: ledger.writer)
  }
}

/// Moves the doses to come of a plan whose hours are counted from the last intake.
private func followIntake(_ recorded: AnswerRecorded, _ ledger: AnswerLedger) throws(AnswerError) {
  guard recorded.changesOutcome, recorded.possible.mayFollowIntake else { return }
  try storing { () throws(StorageError) in
    try IntakeFollowing.renew(
      recorded.place.plan, patient: ledger.patient, context: ledger.context, in: ledger.writer)
  }
}

/// Puts back the doses that were moved because this one was late, and asks again.
private func reviewMovedDoses(
  _ recorded: AnswerRecorded, _ ledger: AnswerLedger
) throws(AnswerError) {
  guard let change = recorded.dose, change.replaced != nil else { return }
  try DoseShifting.answerChanged(
    change.before.id, taken: change.state == .taken ? recorded.fact?.at : nil,
    patient: ledger.patient, context: ledger.context, in: ledger.writer)
}
