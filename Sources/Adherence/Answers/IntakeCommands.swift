// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage

/// Intakes that name no dose: as needed, extra, or of a medicine without a plan.
package enum IntakeCommands {
  /// Records an intake, or a decision not to take.
  ///
  /// It answers the plan's open dose whose on-time or late window holds its time, the nearest
  /// first; else it stands for itself. A name that one active plan alone has counts for that plan.
  package static func record(
    _ request: AdministrationRequest,
    context: CommandContext,
    in writer: any SQLWriter
  ) throws(AnswerError) -> RecordedAdministration {
    let patient = request.patient
    let right = try AnswerAccess.authorization(.create, patient: patient, context: context)
    let checked = try CheckedAnswer(
      AnswerRequest(
        action: request.taken ? .taken : .skipped, event: request.event, at: request.at,
        reason: request.reason, amount: request.amount, confirm: request.confirm),
      now: context.now)
    let text = try AnswerInput.medicine(request.medicine)
    let reading = try storing { () throws(StorageError) in
      try EntryReading.read(text, event: checked.event, patient: patient, in: writer)
    }
    guard let reading else { throw .notFound }
    if let earlier = reading.earlier {
      return try replay(earlier, of: checked, patient: patient, now: context.now, in: writer)
    }
    guard let found = NamedMedicine.find(text, among: reading.plans) else { throw .notFound }
    if let plan = found.medicine.plan,
      let dose = try storing({ () throws(StorageError) in
        try AnswerableDose.open(
          of: plan, patient: patient, holding: checked.at ?? context.now, event: checked.event,
          in: writer)
      })
    {
      let answered = try AnswerCommands.perform(
        checked, on: dose, right, context: context, in: writer)
      // An open dose always takes its first outcome, which makes an administration.
      guard let administration = answered.administration else { throw .answered(answered.dose) }
      return RecordedAdministration(id: administration, dose: answered.dose)
    }
    let entry = ExtraEntry(
      named: found, request: checked, right: right, possible: reading.possible(of: found),
      ledger: AnswerLedger(
        patient: patient, zone: reading.zone, context: context, writer: writer))
    return RecordedAdministration(id: try entry.record(), dose: nil)
  }

  /// Takes back an extra intake or a free entry; doses are taken back by `undo`.
  ///
  /// Taken back already: nothing changes.
  package static func takeBack(
    _ administration: AdministrationID,
    patient: PatientID,
    event: String? = nil,
    context: CommandContext,
    in writer: any SQLWriter
  ) throws(AnswerError) {
    _ = try AnswerAccess.authorization(.update, patient: patient, context: context)
    let event = try AnswerInput.event(event)
    let rows = try storing { () throws(StorageError) in
      try writer.query(
        """
        SELECT plan, action FROM answers
        WHERE patient = $1 AND administration = $2 AND occurrence IS NULL
        """, [.text(patient), .text(administration)])
    }
    guard let entry = rows.first else { throw .notFound }
    let isTakenBack = try storing { () throws(StorageError) in
      for row in rows where try row.text(1) == AnswerAction.undo.rawValue { return true }
      return false
    }
    if isTakenBack { return }
    let ledger = AnswerLedger(patient: patient, zone: nil, context: context, writer: writer)
    try ledger.takeBack(administration)
    let plan = try storing { () throws(StorageError) in try entry.optionalText(0) }
    try ledger.record(
      AnswerRecorded(
        at: AnswerPlace(plan: plan.map(PlanID.init)),
        fact: AnswerFact(
          id: context.newID(), action: .undo, event: event, at: context.now, reason: nil,
          amount: nil, minutes: nil, doseVersion: nil, corrects: nil,
          administration: administration),
        intake: .uncounted(administration)))
  }

  /// The earlier record of the same event.
  private static func replay(
    _ earlier: EarlierEvent, of request: CheckedAnswer, patient: PatientID, now: Timestamp,
    in reader: any SQLReader
  ) throws(AnswerError) -> RecordedAdministration {
    guard let id = earlier.administration, earlier.action == request.action.rawValue else {
      throw .invalid(.eventUsedElsewhere)
    }
    guard let dose = earlier.dose else { return RecordedAdministration(id: id, dose: nil) }
    return try storing { () throws(StorageError) in
      RecordedAdministration(
        id: id, dose: try DoseQueries.dose(dose, patient: patient, now: now, in: reader))
    }
  }
}
