// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Scheduling
import Storage

/// Records intakes that name no dose: as needed, extra, or of a medicine without a plan.
package enum IntakeCommands {
  /// Records an intake, or a decision not to take.
  ///
  /// It answers the plan's nearest open dose whose on-time or late window contains its time;
  /// otherwise it is recorded as an extra entry. A name that belongs to exactly one active plan
  /// counts for that plan.
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
      return try replay(
        earlier, of: checked, patient: patient, zone: reading.zone, now: context.now, in: writer)
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
      // An open dose always accepts its first outcome, which creates an administration.
      guard let administration = answered.administration else { throw .answered(answered.dose) }
      return RecordedAdministration(
        id: administration, dose: answered.dose, zone: reading.zone)
    }
    let entry = ExtraEntry(
      named: found, request: checked, right: right, possible: reading.possible(of: found),
      ledger: AnswerLedger(
        patient: patient, zone: reading.zone, context: context, writer: writer))
    return RecordedAdministration(id: try entry.record(), dose: nil, zone: reading.zone)
  }

  /// Takes back an extra intake or a free entry; doses are taken back by `undo`.
  ///
  /// Taking it back again changes nothing.
  package static func takeBack(
    _ administration: AdministrationID,
    patient: PatientID,
    event: String? = nil,
    context: CommandContext,
    in writer: any SQLWriter
  ) throws(AnswerError) {
    _ = try AnswerAccess.authorization(.update, patient: patient, context: context)
    let event = try AnswerInput.event(event)
    let answers = try storing { () throws(StorageError) in
      try writer.query(answersStatement, [.text(patient), .text(administration)])
        .decode(as: EntryAnswerRow.self)
    }
    guard let entry = answers.first else { throw .notFound }
    if answers.contains(where: { $0.action == AnswerAction.undo.rawValue }) { return }
    let ledger = AnswerLedger(patient: patient, zone: nil, context: context, writer: writer)
    try ledger.takeBack(administration)
    try ledger.record(
      AnswerRecorded(
        at: AnswerPlace(plan: entry.plan),
        fact: AnswerFact(
          id: context.newID(), action: .undo, event: event, at: context.now, reason: nil,
          amount: nil, minutes: nil, doseVersion: nil, corrects: nil,
          administration: administration),
        intake: .uncounted(administration)))
  }

  private static let answersStatement = SQLStatement(
    """
    SELECT \(EntryAnswerRow.columns) FROM answers
    WHERE patient = $1 AND administration = $2 AND occurrence IS NULL
    """)

  /// Returns the earlier record of the same event.
  private static func replay(
    _ earlier: EarlierEvent, of request: CheckedAnswer, patient: PatientID, zone: String,
    now: Timestamp, in reader: any SQLReader
  ) throws(AnswerError) -> RecordedAdministration {
    guard let id = earlier.administration, earlier.action == request.action.rawValue else {
      throw .invalid(.eventUsedElsewhere)
    }
    guard let dose = earlier.dose else {
      return RecordedAdministration(id: id, dose: nil, zone: zone)
    }
    return try storing { () throws(StorageError) in
      RecordedAdministration(
        id: id, dose: try DoseQueries.dose(dose, patient: patient, now: now, in: reader),
        zone: zone)
    }
  }
}

/// An answer that names no dose, with its plan.
struct EntryAnswerRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case plan, action
  }

  static let columns = SQLColumns<Column>()

  let plan: PlanID?
  let action: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    plan = try row.optionalID(.plan)
    action = try row.text(.action)
  }
}
