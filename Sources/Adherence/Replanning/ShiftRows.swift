// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage

/// What a person said about moving the doses after one that was taken late.
package enum ShiftDecision: String, Sendable, Hashable, CaseIterable {
  case moved, left
}

/// The rows of `dose_shifts` and `dose_shift_moves`.
enum ShiftRows {
  struct Decided: Sendable, Hashable {
    let decision: ShiftDecision
    /// When the late dose was taken, as it stood then.
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
    let row = try reader.first(
      """
      SELECT decision, taken FROM dose_shifts
      WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
      """, key(late, patient))
    guard let row, let decision = ShiftDecision(rawValue: try row.text(0)) else { return nil }
    return Decided(decision: decision, taken: try row.timestamp(1))
  }

  static func decide(
    _ decision: ShiftDecision, for late: DoseID, taken: Timestamp, patient: PatientID,
    context: CommandContext, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO dose_shifts (patient, plan, era, occurrence, taken, decision, decided, account)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (patient, plan, era, occurrence) DO UPDATE SET taken = excluded.taken,
        decision = excluded.decision, decided = excluded.decided, account = excluded.account
      """,
      key(late, patient) + [
        SQLValue(taken), .text(decision.rawValue), SQLValue(context.now),
        .text(context.actor.accountID),
      ])
  }

  /// The doses moved for a late one, by the time to which they went.
  static func moves(
    for late: DoseID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Move] {
    let rows = try reader.query(
      """
      SELECT era, occurrence, due, was, was_moved FROM dose_shift_moves
      WHERE patient = $1 AND plan = $2 AND late_era = $3 AND late_occurrence = $4
      ORDER BY due, era, occurrence
      """, key(late, patient))
    var moves: [Move] = []
    for row in rows {
      guard let occurrence = OccurrenceID(text: try row.text(1)) else { continue }
      moves.append(
        Move(
          dose: DoseID(plan: late.plan, era: try row.integer(0), occurrence: occurrence),
          due: try row.timestamp(2), was: try row.timestamp(3),
          wasMoved: try row.integer(4) == 1))
    }
    return moves
  }

  static func insert(
    _ move: Move, for late: DoseID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO dose_shift_moves (patient, plan, late_era, late_occurrence, era, occurrence, due,
        was, was_moved) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      """,
      key(late, patient) + [
        .integer(move.dose.era), .text(move.dose.occurrence.text), SQLValue(move.due),
        SQLValue(move.was), .integer(move.wasMoved ? 1 : 0),
      ])
  }

  /// Forgets what was decided for a late dose.
  static func forget(
    _ late: DoseID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      DELETE FROM dose_shift_moves
      WHERE patient = $1 AND plan = $2 AND late_era = $3 AND late_occurrence = $4
      """, key(late, patient))
    try writer.execute(
      """
      DELETE FROM dose_shifts
      WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
      """, key(late, patient))
  }

  /// Where a later shift moved on what this one had moved, it now leads back to where that was before this one.
  static func relink(
    _ move: Move, of late: DoseID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE dose_shift_moves SET was = $1, was_moved = $2
      WHERE patient = $3 AND plan = $4 AND era = $5 AND occurrence = $6 AND was = $7
        AND NOT (late_era = $8 AND late_occurrence = $9)
      """,
      [
        SQLValue(move.was), .integer(move.wasMoved ? 1 : 0), .text(patient), .text(late.plan),
        .integer(move.dose.era), .text(move.dose.occurrence.text), SQLValue(move.due),
        .integer(late.era), .text(late.occurrence.text),
      ])
  }

  /// Takes a dose that was moved along into another era, so that undo still finds it.
  static func carry(
    _ dose: [SQLValue], to era: Int64, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE dose_shift_moves SET era = $1
      WHERE patient = $2 AND plan = $3 AND era = $4 AND occurrence = $5
      """, [.integer(era)] + dose)
  }

  /// Where a person moved a dose to; nil where nobody did.
  static func movedTo(
    _ dose: DoseID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Timestamp? {
    try reader.first(
      """
      SELECT due FROM dose_moves
      WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
      """, key(dose, patient)
    ).map { row throws(StorageError) in try row.timestamp(0) }
  }

  private static func key(_ dose: DoseID, _ patient: PatientID) -> [SQLValue] {
    [.text(patient), .text(dose.plan), .integer(dose.era), .text(dose.occurrence.text)]
  }
}
