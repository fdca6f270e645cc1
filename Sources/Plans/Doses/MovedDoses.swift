// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Scheduling
import Storage

/// The rows of `dose_moves`.
package enum MovedDoses {
  /// Returns the future doses of a plan that a person moved.
  static func load(
    _ plan: PlanID, patient: PatientID, dueAfter instant: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [MovedDose] {
    try reader.query(loadStatement, [.text(patient), .text(plan), SQLValue(instant)])
      .decode(as: MovedDoseRow.self).compactMap(\.moved)
  }

  private static let loadStatement = SQLStatement(
    """
    SELECT \(MovedDoseRow.columns) FROM dose_moves
    WHERE patient = $1 AND plan = $2 AND due > $3 ORDER BY era, occurrence
    """)

  /// Returns all doses that a patient ever moved, by plan.
  static func byPlan(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: [MovedDose]] {
    let rows = try reader.query(byPlanStatement, [.text(patient)]).decode(as: MovedDoseRow.self)
    var found: [PlanID: [MovedDose]] = [:]
    for row in rows {
      guard let moved = row.moved else { continue }
      found[row.plan, default: []].append(moved)
    }
    return found
  }

  private static let byPlanStatement = SQLStatement(
    "SELECT \(MovedDoseRow.columns) FROM dose_moves WHERE patient = $1")

  /// Doses moved in earlier eras to a time that has passed; see ``hasCome``.
  static func come(
    _ plan: PlanID, patient: PatientID, before era: Int64, by now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> Set<OccurrenceID> {
    let occurrences = try reader.query(
      """
      SELECT occurrence FROM dose_moves
      WHERE patient = $1 AND plan = $2 AND era < $3 AND due <= $4
      """, [.text(patient), .text(plan), .integer(era), SQLValue(now)]
    ).values(as: String.self)
    return Set(occurrences.compactMap { OccurrenceID(text: $0) }.filter { !$0.isRunning })
  }

  /// Returns the occurrences, among known moves of a plan, that were moved in earlier eras to a
  /// time that has passed.
  ///
  /// Running numbers are left out: in another era they name other doses.
  package static func come(
    among moves: [MovedDose], before era: Int64, by now: Timestamp
  ) -> Set<OccurrenceID> {
    Set(
      moves.filter { $0.era < era && $0.due <= now && !$0.occurrence.isRunning }
        .map(\.occurrence))
  }

  /// Carries the moves to keep into a new era and deletes the others: a dose that returned to its own time no
  /// longer counts as moved.
  static func keep(
    _ kept: [OccurrenceID: Timestamp], of moves: [MovedDose], plan: PlanID, patient: PatientID,
    era: Int64, consequences: Consequences, in writer: any SQLWriter
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
        try consequences.follow(
          .moveCarried(move.occurrence, from: move.era, to: era), of: plan, patient: patient,
          in: writer)
      }
    }
  }

  /// Returns true if a dose was moved in an earlier era to a time that has passed.
  ///
  /// Running numbers never match: in another era they identify other doses.
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

  /// Deletes the move of a dose, once the plan itself states the time.
  package static func forget(
    _ dose: DoseID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM dose_moves WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4",
      [.text(patient), .text(dose.plan), .integer(dose.era), .text(dose.occurrence.text)])
  }

  /// Records that a person moved a dose to `due`, in place of an earlier move of the same dose.
  package static func insert(
    _ dose: DoseID, patient: PatientID, to due: Timestamp, context: CommandContext,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let row = DoseMoveRow(
      patient: patient, dose: dose, due: due, moved: context.now,
      account: context.actor.accountID)
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO dose_moves (\(DoseMoveRow.columns)) VALUES (\(DoseMoveRow.placeholders))
    ON CONFLICT (patient, plan, era, occurrence) DO UPDATE SET due = excluded.due,
      moved = excluded.moved, account = excluded.account
    """)
}

/// A complete row of `dose_moves`.
struct DoseMoveRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, era, occurrence, due, moved, account
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let dose: DoseID
  let due: Timestamp
  let moved: Timestamp
  let account: AccountID

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(dose.plan)
    case .era: .integer(dose.era)
    case .occurrence: .text(dose.occurrence.text)
    case .due: SQLValue(due)
    case .moved: SQLValue(moved)
    case .account: .text(account)
    }
  }
}

/// A ``MovedDose`` with its plan.
struct MovedDoseRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case plan, era, occurrence, due
  }

  static let columns = SQLColumns<Column>()

  let plan: PlanID
  /// The move; nil for an occurrence that this program cannot read.
  let moved: MovedDose?

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    plan = try columns.id(.plan)
    let era = try columns.integer(.era)
    let due = try columns.timestamp(.due)
    moved = OccurrenceID(text: try columns.text(.occurrence)).map {
      MovedDose(era: era, occurrence: $0, due: due)
    }
  }
}

extension OccurrenceID {
  /// True if it counts intervals from the anchor of its era.
  fileprivate var isRunning: Bool { if case .running = self { true } else { false } }
}
