// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage

/// The rows of `dose_moves`.
enum MovedDoses {
  /// The doses of a plan that a person moved and that are still to come.
  static func load(
    _ plan: PlanID, patient: PatientID, dueAfter instant: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [MovedDose] {
    let rows = try reader.query(
      """
      SELECT era, occurrence, due FROM dose_moves
      WHERE patient = $1 AND plan = $2 AND due > $3 ORDER BY era, occurrence
      """, [.text(patient), .text(plan), SQLValue(instant)])
    var moved: [MovedDose] = []
    for row in rows {
      guard let occurrence = OccurrenceID(text: try row.text(1)) else { continue }
      moved.append(
        MovedDose(
          era: try row.integer(0), occurrence: occurrence, due: try row.timestamp(2)))
    }
    return moved
  }

  /// All doses that a patient ever moved, by plan.
  static func byPlan(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: [MovedDose]] {
    let rows = try reader.query(
      "SELECT plan, era, occurrence, due FROM dose_moves WHERE patient = $1", [.text(patient)])
    var found: [PlanID: [MovedDose]] = [:]
    for row in rows {
      guard let occurrence = OccurrenceID(text: try row.text(2)) else { continue }
      found[try row.id(0), default: []].append(
        MovedDose(
          era: try row.integer(1), occurrence: occurrence, due: try row.timestamp(3)))
    }
    return found
  }

  /// Those that were moved in earlier eras to a time that is over; see ``hasCome``.
  static func come(
    _ plan: PlanID, patient: PatientID, before era: Int64, by now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> Set<OccurrenceID> {
    let rows = try reader.query(
      """
      SELECT occurrence FROM dose_moves
      WHERE patient = $1 AND plan = $2 AND era < $3 AND due <= $4
      """, [.text(patient), .text(plan), .integer(era), SQLValue(now)])
    var found: Set<OccurrenceID> = []
    for row in rows {
      guard let one = OccurrenceID(text: try row.text(0)), !one.isRunning else { continue }
      found.insert(one)
    }
    return found
  }

  /// The same among moves of a plan that are known.
  static func come(
    among moves: [MovedDose], before era: Int64, by now: Timestamp
  ) -> Set<OccurrenceID> {
    Set(
      moves.filter { $0.era < era && $0.due <= now && !$0.occurrence.isRunning }
        .map(\.occurrence))
  }

  /// Takes the moves that stay along into an era, and forgets the others: a dose that went back to its own time
  /// is not moved any more.
  static func keep(
    _ kept: [OccurrenceID: Timestamp], of moves: [MovedDose], plan: PlanID, patient: PatientID,
    era: Int64, in writer: any SQLWriter
  ) throws(StorageError) {
    for move in moves {
      let place: [SQLValue] = [
        .text(patient), .text(plan), .integer(move.era), .text(move.occurrence.text),
      ]
      if kept[move.occurrence] != move.due {
        try writer.execute(
          """
          DELETE FROM dose_moves
          WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
          """, place)
      } else if move.era != era {
        try writer.execute(
          """
          UPDATE dose_moves SET era = $1
          WHERE patient = $2 AND plan = $3 AND era = $4 AND occurrence = $5
          """, [.integer(era)] + place)
        try ShiftRows.carry(place, to: era, in: writer)
      }
    }
  }

  /// Whether a dose was moved in an earlier era to a time that is over.
  ///
  /// A running number of another era means another dose: the hours were others.
  static func hasCome(
    _ occurrence: OccurrenceID, plan: PlanID, patient: PatientID, before era: Int64,
    by now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    if occurrence.isRunning { return false }
    return try reader.first(
      """
      SELECT 1 FROM dose_moves
      WHERE patient = $1 AND plan = $2 AND era < $3 AND occurrence = $4 AND due <= $5
      """,
      [
        .text(patient), .text(plan), .integer(era), .text(occurrence.text), SQLValue(now),
      ]) != nil
  }

  /// Forgets that a dose was moved, where the plan itself now says when it comes.
  static func forget(
    _ dose: DoseID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM dose_moves WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4",
      [.text(patient), .text(dose.plan), .integer(dose.era), .text(dose.occurrence.text)])
  }

  static func insert(
    _ dose: DoseID, patient: PatientID, to due: Timestamp, context: CommandContext,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO dose_moves (patient, plan, era, occurrence, due, moved, account)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (patient, plan, era, occurrence) DO UPDATE SET due = excluded.due,
        moved = excluded.moved, account = excluded.account
      """,
      [
        .text(patient), .text(dose.plan), .integer(dose.era), .text(dose.occurrence.text),
        SQLValue(due), SQLValue(context.now), .text(context.actor.accountID),
      ])
  }
}

extension OccurrenceID {
  /// Whether it counts intervals from the anchor of its era.
  fileprivate var isRunning: Bool { if case .running = self { true } else { false } }
}
