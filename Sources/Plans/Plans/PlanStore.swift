// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The tables `plans` and `plan_eras`; statistics have their columns in the file next to this one.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
package enum PlanStore {
  /// Returns a plan; nil if the patient has none of that id.
  package static func load(_ plan: PlanID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> PlanRow?
  {
    try reader.first(oneStatement, [.text(patient), .text(plan)])?.decode()
  }

  private static let oneStatement = SQLStatement(
    """
    SELECT \(PlanRow.columns) FROM \(PlanRow.tables)
    WHERE p.patient = $1 AND p.plan = $2
    """)

  /// Returns the zone of the last place whose clock a plan followed.
  static func home(
    _ plan: PlanID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> String? {
    let zones = try reader.query(
      "SELECT zone FROM plan_eras WHERE patient = $1 AND plan = $2 ORDER BY era DESC",
      [.text(patient), .text(plan)]
    ).values(as: String.self)
    return zones.first { !FixedOffset.isFixed($0) }
  }

  /// Returns all plans of a patient, including ended ones, the oldest first.
  package static func all(patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [PlanRow]
  {
    try reader.query(allStatement, [.text(patient)]).decode()
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(PlanRow.columns) FROM \(PlanRow.tables)
    WHERE p.patient = $1 ORDER BY p.created, p.plan
    """)

  /// Returns active plans whose dose rows end before an instant, those furthest behind first.
  static func behind(_ instant: Timestamp, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [PlanKeyRow]
  {
    try reader.query(behindStatement, [SQLValue(instant), SQLValue(limit)]).decode()
  }

  private static let behindStatement = SQLStatement(
    """
    SELECT \(PlanKeyRow.columns) FROM plans
    WHERE status = 'active' AND unplanned_reason IS NULL AND planned_through < $1
    ORDER BY planned_through LIMIT $2
    """)

  /// Returns the plans that give doses, of all patients.
  package static func ringing(in reader: any SQLReader) throws(StorageError) -> [PlanChangeRow] {
    try reader.query(ringingStatement, []).decode()
  }

  private static let ringingStatement = SQLStatement(
    """
    SELECT \(PlanChangeRow.columns) FROM plans
    WHERE status = 'active' AND unplanned_reason IS NULL ORDER BY patient, plan
    """)

  // MARK: Changes

  static func insert(_ row: PlanRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStatement, WrittenPlanRow(plan: row).values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO plans (\(WrittenPlanRow.columns)) VALUES (\(WrittenPlanRow.placeholders))
    """)

  /// Writes all columns of a plan that can change, except those of its era.
  package static func update(_ row: PlanRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE plans SET request_version = $1, status = $2, unplanned_reason = $3,
        medicine_name = $4, ingredients = $5, policy = $6, era = $7, kind = $8, anchor = $9,
        anchor_date = $10, active_from = $11, minimum_gap = $12, planned_through = $13,
        changed = $14, shown_name = $15
      WHERE patient = $16 AND plan = $17
      """,
      [
        .integer(row.requestVersion), .text(row.status), SQLValue(row.unplanned?.code),
        .text(row.medicineName), .text(row.ingredients), .text(row.policy.rawValue),
        .integer(row.era), .text(row.kind.rawValue), SQLValue(row.anchor),
        .text(row.anchorDate.text), SQLValue(row.activeFrom), SQLValue(row.minimumGap),
        SQLValue(row.plannedThrough), SQLValue(row.changed), SQLValue(row.storedShownName),
        .text(row.patient), .text(row.plan),
      ])
  }

  /// Renews the name shown to people.
  static func rename(
    _ plan: PlanID, patient: PatientID, to name: String, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE plans SET shown_name = $1 WHERE patient = $2 AND plan = $3",
      [.text(name), .text(patient), .text(plan)])
  }

  /// Resets the time of a plan's last change.
  package static func restore(
    changed: Timestamp, of plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE plans SET changed = $1 WHERE patient = $2 AND plan = $3",
      [SQLValue(changed), .text(patient), .text(plan)])
  }

  // MARK: Eras

  static func insertEra(_ row: PlanRow, starts: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(insertEraStatement, PlanEraRow(plan: row, starts: starts).values)
  }

  private static let insertEraStatement = SQLStatement(
    "INSERT INTO plan_eras (\(PlanEraRow.columns)) VALUES (\(PlanEraRow.placeholders))")

  /// Returns the time at which a plan's current era began.
  package static func eraStart(of row: PlanRow, in reader: any SQLReader) throws(StorageError)
    -> Timestamp?
  {
    try reader.query(
      "SELECT starts FROM plan_eras WHERE patient = $1 AND plan = $2 AND era = $3",
      [.text(row.patient), .text(row.plan), .integer(row.era)]
    ).values(as: Timestamp.self).first
  }

  static func updateEra(_ row: PlanRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE plan_eras SET zone = $1, kind = $2 WHERE patient = $3 AND plan = $4 AND era = $5
      """,
      [
        .text(row.zone), .text(row.eraSignature), .text(row.patient), .text(row.plan),
        .integer(row.era),
      ])
  }
}
