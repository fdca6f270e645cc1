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
    if let earlier = try replay(checked, patient: patient, now: context.now, in: writer) {
      return earlier
    }
    let person = try storing { () throws(StorageError) in
      try writer.first("SELECT zone FROM people WHERE patient = $1", [.text(patient)])
    }
    guard let person else { throw .notFound }
    let found = try storing { () throws(StorageError) in
      try NamedMedicine.find(text, patient: patient, in: writer)
    }
    guard let found else { throw .notFound }
    if let plan = found.medicine.plan,
      let dose = try storing({ () throws(StorageError) in
        try openDose(
          of: plan, patient: patient, holding: checked.at ?? context.now, in: writer)
      })
    {
      return try answer(dose, with: request, context: context, in: writer)
    }
    let zone = try storing { () throws(StorageError) in try person.text(0) }
    let entry = ExtraEntry(
      named: found, request: checked, right: right,
      ledger: AnswerLedger(patient: patient, zone: zone, context: context, writer: writer))
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

  private static func answer(
    _ dose: DoseID, with request: AdministrationRequest, context: CommandContext,
    in writer: any SQLWriter
  ) throws(AnswerError) -> RecordedAdministration {
    let answered = try AnswerCommands.perform(
      dose, patient: request.patient,
      AnswerRequest(
        action: request.taken ? .taken : .skipped, event: request.event, at: request.at,
        reason: request.reason, amount: request.amount, confirm: request.confirm),
      context: context, in: writer)
    // An open dose always takes its first outcome, which makes an administration.
    guard let administration = answered.administration else { throw .answered(answered.dose) }
    return RecordedAdministration(id: administration, dose: answered.dose)
  }

  /// What the same event recorded before; nil for a new one.
  private static func replay(
    _ request: CheckedAnswer, patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws(AnswerError) -> RecordedAdministration? {
    guard let event = request.event else { return nil }
    let earlier = try storing { () throws(StorageError) in
      try EarlierEvent.read(event, patient: patient, in: reader)
    }
    guard let earlier else { return nil }
    guard let id = earlier.administration, earlier.action == request.action.rawValue else {
      throw .invalid(.eventUsedElsewhere)
    }
    guard let dose = earlier.dose else { return RecordedAdministration(id: id, dose: nil) }
    return try storing { () throws(StorageError) in
      RecordedAdministration(
        id: id, dose: try DoseQueries.dose(dose, patient: patient, now: now, in: reader))
    }
  }

  /// The plan's open dose nearest to a time that lies in its on-time or late window.
  static func openDose(
    of plan: PlanID, patient: PatientID, holding time: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> DoseID? {
    // No window opens earlier than an hour before due or closes later than twelve hours after.
    let rows = try reader.query(
      """
      SELECT era, occurrence, due, on_time_until, late_until FROM doses
      WHERE patient = $1 AND due > $2 AND due <= $3 AND plan = $4 AND state = 'open'
      ORDER BY due, era, occurrence
      """,
      [
        .text(patient), SQLValue(time.adding(milliseconds: -12 * 3_600_000)),
        SQLValue(time.adding(milliseconds: 3_600_000)), .text(plan),
      ])
    var nearest: (distance: Int64, dose: DoseID)?
    for row in rows {
      let due = try row.timestamp(2)
      let radius = try row.integer(3) - due.milliseconds
      guard time >= due.adding(milliseconds: -radius), try time < row.timestamp(4),
        let occurrence = OccurrenceID(text: try row.text(1))
      else { continue }
      let distance = abs(time.milliseconds - due.milliseconds)
      if distance < nearest?.distance ?? .max {
        nearest = (distance, DoseID(plan: plan, era: try row.integer(0), occurrence: occurrence))
      }
    }
    return nearest?.dose
  }
}
