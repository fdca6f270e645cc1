// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Scheduling
import Storage

/// A person's decision about moving the doses after one that was taken late.
package enum ReschedulingDecision: String, Sendable, Hashable, CaseIterable {
  case moved, left
}

/// The rows of `dose_reschedulings` and `rescheduled_doses`.
enum DoseReschedulingRows {
  struct Decided: Sendable, Hashable {
    let decision: ReschedulingDecision
    /// The time at which the late dose was taken, as known then.
    let taken: Timestamp
  }

  struct Move: Sendable, Hashable {
    let dose: DoseID
    let due: Timestamp
    let was: Timestamp
    let wasMoved: Bool
  }

  static func decided(
    _ late: DoseID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Decided? {
    let row = try reader.first(decidedStatement, key(late, patient))?.read(DecidedRow.self)
    guard let row, let decision = ReschedulingDecision(rawValue: try row.text(.decision)) else {
      return nil
    }
    return Decided(decision: decision, taken: try row.timestamp(.taken))
  }

  private static let decidedStatement = SQLStatement(
    """
    SELECT \(DecidedRow.columns) FROM dose_reschedulings
    WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
    """)

  static func decide(
    _ decision: ReschedulingDecision, for late: DoseID, taken: Timestamp, patient: PatientID,
    context: CommandContext, in writer: any SQLWriter
  ) throws(StorageError) {
    let row = DoseReschedulingRow(
      patient: patient, late: late, taken: taken, decision: decision, decided: context.now,
      account: context.actor.accountID)
    try writer.execute(decideStatement, row.values)
  }

  private static let decideStatement = SQLStatement(
    """
    INSERT INTO dose_reschedulings (\(DoseReschedulingRow.columns)) VALUES (\(DoseReschedulingRow.placeholders))
    ON CONFLICT (patient, plan, era, occurrence) DO UPDATE SET taken = excluded.taken,
      decision = excluded.decision, decided = excluded.decided, account = excluded.account
    """)

  /// Returns the doses moved because of a late one, by their new time.
  static func moves(
    for late: DoseID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Move] {
    var moves: [Move] = []
    for row in try reader.query(movesStatement, key(late, patient)) {
      let row = row.read(RescheduledDoseRow.self)
      guard let occurrence = OccurrenceID(text: try row.text(.occurrence)) else { continue }
      moves.append(
        Move(
          dose: DoseID(
            plan: late.plan, era: try row.integer(.era), occurrence: occurrence),
          due: try row.timestamp(.due), was: try row.timestamp(.was),
          wasMoved: try row.bool(.wasMoved)))
    }
    return moves
  }

  private static let movesStatement = SQLStatement(
    """
    SELECT \(RescheduledDoseRow.columns) FROM rescheduled_doses
    WHERE patient = $1 AND plan = $2 AND late_era = $3 AND late_occurrence = $4
    ORDER BY due, era, occurrence
    """)

  static func insert(
    _ move: Move, for late: DoseID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      insertStatement, NewRescheduledDoseRow(patient: patient, late: late, move: move).values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO rescheduled_doses (\(NewRescheduledDoseRow.columns))
    VALUES (\(NewRescheduledDoseRow.placeholders))
    """)

  /// Deletes the decision for a late dose.
  static func forget(
    _ late: DoseID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      DELETE FROM rescheduled_doses
      WHERE patient = $1 AND plan = $2 AND late_era = $3 AND late_occurrence = $4
      """, key(late, patient))
    try writer.execute(
      """
      DELETE FROM dose_reschedulings
      WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
      """, key(late, patient))
  }

  /// Links a later move to the time before this one, if it moved a dose that this one had moved already.
  static func relink(
    _ move: Move, of late: DoseID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE rescheduled_doses SET was = $1, was_moved = $2
      WHERE patient = $3 AND plan = $4 AND era = $5 AND occurrence = $6 AND was = $7
        AND NOT (late_era = $8 AND late_occurrence = $9)
      """,
      [
        SQLValue(move.was), SQLValue(move.wasMoved), .text(patient), .text(late.plan),
        .integer(move.dose.era), .text(move.dose.occurrence.text), SQLValue(move.due),
        .integer(late.era), .text(late.occurrence.text),
      ])
  }

  /// Carries a moved dose into another era, so that undo still finds it.
  static func carry(
    _ dose: DoseID, patient: PatientID, to era: Int64, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE rescheduled_doses SET era = $1
      WHERE patient = $2 AND plan = $3 AND era = $4 AND occurrence = $5
      """, [.integer(era)] + key(dose, patient))
  }

  /// Returns the time to which a person moved a dose; nil if no one did.
  static func movedTo(
    _ dose: DoseID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Timestamp? {
    try reader.first(
      """
      SELECT due FROM dose_moves
      WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
      """, key(dose, patient)
    )?.value(as: Timestamp.self)
  }

  private static func key(_ dose: DoseID, _ patient: PatientID) -> [SQLValue] {
    [.text(patient), .text(dose.plan), .integer(dose.era), .text(dose.occurrence.text)]
  }
}

extension AnswerConsequence {
  /// Puts back the doses that were moved because this one was late, and reopens the question.
  package static let movedDoses = AnswerConsequence(
    "doses moved for a late one"
  ) { (recorded, ledger) throws(AnswerError) in
    guard let change = recorded.dose, change.replaced != nil else { return }
    try DoseRescheduler.answerChanged(
      change.before.id, taken: change.state == .taken ? recorded.fact?.at : nil,
      patient: ledger.patient, context: ledger.context, in: ledger.writer)
  }
}

extension PlanConsequence {
  /// Carries a dose that was moved because of a late one into another era of its plan.
  package static let movedDoses = PlanConsequence(
    "doses moved for a late one"
  ) { (event, plan, patient, writer) throws(StorageError) in
    guard case .moveCarried(let occurrence, let before, let era) = event else { return }
    try DoseReschedulingRows.carry(
      DoseID(plan: plan, era: before, occurrence: occurrence), patient: patient, to: era,
      in: writer)
  }
}
