// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// Rows as the planner creates, changes and deletes them.
extension DoseStore {
  /// Returns a plan's rows due after an instant, by due time.
  ///
  /// Reads by the patient's due times, so that the cost does not grow with the plan's age. The
  /// order of doses at the same time, such as a cancelled one and one moved there, is fixed, so
  /// that a repeated read does not look like a change.
  package static func planned(
    _ plan: PlanID, patient: PatientID, dueAfter instant: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [DoseProjectionRow] {
    let rows = try reader.query(plannedStatement, [.text(patient), SQLValue(instant)])
    var doses: [DoseProjectionRow] = []
    for row in rows {
      let row = row.read(DoseProjectionRow.self)
      if try row.id(.plan) == plan { doses.append(try DoseProjectionRow(row)) }
    }
    return doses
  }

  /// Returns the rows of all plans of a patient due after an instant, by plan, in the order of
  /// ``planned(_:patient:dueAfter:in:)``.
  static func plannedByPlan(
    patient: PatientID, dueAfter instant: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: [DoseProjectionRow]] {
    let rows = try reader.query(plannedStatement, [.text(patient), SQLValue(instant)])
    var doses: [PlanID: [DoseProjectionRow]] = [:]
    for row in rows {
      let row = row.read(DoseProjectionRow.self)
      doses[try row.id(.plan), default: []].append(try DoseProjectionRow(row))
    }
    return doses
  }

  private static let plannedStatement = SQLStatement(
    """
    SELECT \(DoseProjectionRow.columns) FROM doses
    WHERE patient = $1 AND due > $2
    ORDER BY due, plan, era, occurrence
    """)

  /// Returns true if a dose has a row.
  package static func exists(
    _ occurrence: OccurrenceID, era: Int64, plan: PlanID, patient: PatientID,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      """
      SELECT 1 FROM doses WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
      """, [.text(patient), .text(plan), .integer(era), .text(occurrence.text)]) != nil
  }

  /// Adds a row.
  ///
  /// An existing row is a fact or an earlier projection and stays as it is.
  package static func insert(
    _ row: DoseProjectionRow, plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      insertStatement, NewDoseRow(patient: patient, plan: plan, planned: row).values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO doses (\(NewDoseRow.columns)) VALUES (\(NewDoseRow.placeholders))
    ON CONFLICT (patient, plan, era, occurrence) DO NOTHING
    """)

  /// Writes the planned columns of a row; the answer is cleared unless the row has one.
  package static func update(
    _ row: DoseProjectionRow, plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE doses SET due = $1, on_time_until = $2, late_until = $3, next_due = $4,
        amount_value = $5, amount_unit = $6, amount_code = $7, state = $8, state_reason = $9,
        version = $10, later_until = $11, answer = CASE WHEN $12 = 1 THEN answer END
      WHERE patient = $13 AND plan = $14 AND era = $15 AND occurrence = $16
      """,
      [
        SQLValue(row.due), SQLValue(row.onTimeUntil), SQLValue(row.lateUntil),
        SQLValue(row.nextDue), SQLValue(row.amount?.value), SQLValue(row.amount?.unit),
        SQLValue(row.amount?.code), .text(row.state.rawValue),
        SQLValue(row.stateReason?.rawValue), .integer(row.version), SQLValue(row.laterUntil),
        .integer(row.hasAnswer ? 1 : 0), .text(patient), .text(plan), .integer(row.era),
        .text(row.occurrence.text),
      ])
  }

  static func delete(
    _ row: DoseProjectionRow, plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM doses WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4",
      [.text(patient), .text(plan), .integer(row.era), .text(row.occurrence.text)])
  }
}

/// A new row of `doses`.
struct NewDoseRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, era, occurrence, due, onTimeUntil, lateUntil, nextDue
    case amountValue, amountUnit, amountCode, state, stateReason, version
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID
  let planned: DoseProjectionRow

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(plan)
    case .era: .integer(planned.era)
    case .occurrence: .text(planned.occurrence.text)
    case .due: SQLValue(planned.due)
    case .onTimeUntil: SQLValue(planned.onTimeUntil)
    case .lateUntil: SQLValue(planned.lateUntil)
    case .nextDue: SQLValue(planned.nextDue)
    case .amountValue: SQLValue(planned.amount?.value)
    case .amountUnit: SQLValue(planned.amount?.unit)
    case .amountCode: SQLValue(planned.amount?.code)
    case .state: .text(planned.state.rawValue)
    case .stateReason: SQLValue(planned.stateReason?.rawValue)
    case .version: .integer(planned.version)
    }
  }
}
