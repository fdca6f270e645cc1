// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

/// The columns of `plans` with the progress of its statistics.
extension PlanStore {
  /// Returns true if a plan may have an ended month that is not rolled up.
  static func hasStatistics(dueAt now: Timestamp, in reader: any SQLReader) throws(StorageError)
    -> Bool
  {
    try reader.first("SELECT 1 FROM plans WHERE statistics_next <= $1 LIMIT 1", [SQLValue(now)])
      != nil
  }

  /// Returns the plans that may have months to roll up, those that have waited longest first.
  static func statistics(dueAt now: Timestamp, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [FoldingPlanRow]
  {
    try reader.query(dueStatement, [SQLValue(now), SQLValue(limit)]).decode()
  }

  private static let dueStatement = SQLStatement(
    """
    SELECT \(FoldingPlanRow.columns)
    FROM plans p JOIN people e ON e.patient = p.patient
    WHERE p.statistics_next <= $1 ORDER BY p.statistics_next, p.patient, p.plan LIMIT $2
    """)

  /// Returns the plans with rolled-up months.
  static func folded(in reader: any SQLReader) throws(StorageError) -> [FoldedPlanRow] {
    try reader.query(foldedStatement, []).decode()
  }

  private static let foldedStatement = SQLStatement(
    """
    SELECT \(FoldedPlanRow.columns) FROM plans WHERE statistics_through > 0
    ORDER BY patient, plan
    """)

  /// Returns the number of the first month not rolled up for every plan of a patient, in a zone; 0 without
  /// plans.
  static func statisticsThrough(
    of patient: PatientID, zone: String, in reader: any SQLReader
  ) throws(StorageError) -> Int64 {
    try reader.first(
      """
      SELECT MIN(CASE WHEN statistics_zone = $1 THEN statistics_through ELSE 0 END) FROM plans
      WHERE patient = $2
      """, [.text(zone), .text(patient)])?.value(as: Int64?.self) ?? 0
  }

  // MARK: Changes

  /// Records that the months before one are rolled up, and the time of the plan's next check.
  static func fold(
    _ plan: PlanID, patient: PatientID, before month: MonthlyStatistics, zone: String,
    next: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE plans SET statistics_through = $1, statistics_zone = $2, statistics_next = $3
      WHERE patient = $4 AND plan = $5
      """,
      [
        .integer(month.number), .text(zone), SQLValue(next), .text(patient), .text(plan),
      ])
  }

  /// Marks a month and later ones for a new rollup.
  static func unfold(
    _ plan: PlanID, patient: PatientID, from month: MonthlyStatistics, next: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE plans SET statistics_through = $1, statistics_next = $2 WHERE patient = $3 AND plan = $4
      """,
      [.integer(month.number), SQLValue(next), .text(patient), .text(plan)])
  }

  /// Makes all plans of a patient due for a check at once.
  static func unfoldAll(of patient: PatientID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "UPDATE plans SET statistics_next = 0 WHERE patient = $1", [.text(patient)])
  }
}

/// A plan whose months may be rolled up, with the patient's zone.
struct FoldingPlanRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, statisticsThrough, statisticsZone, plannedThrough, isRinging, zone
  }

  static let columns = SQLColumns<Column>(
    of: "p",
    [
      .isRinging: "CASE WHEN p.status = 'active' AND p.unplanned_reason IS NULL THEN 1 ELSE 0 END",
      .zone: "e.zone",
    ])

  let patient: PatientID
  let plan: PlanID
  let statisticsThrough: Int64
  let statisticsZone: String
  let plannedThrough: Timestamp
  let isRinging: Bool
  let zone: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    plan = try row.id(.plan)
    statisticsThrough = try row.integer(.statisticsThrough)
    statisticsZone = try row.text(.statisticsZone)
    plannedThrough = try row.timestamp(.plannedThrough)
    isRinging = try row.bool(.isRinging)
    zone = try row.text(.zone)
  }
}

/// A plan with rolled-up months.
struct FoldedPlanRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, statisticsThrough, statisticsZone
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID
  let statisticsThrough: Int64
  let statisticsZone: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    plan = try row.id(.plan)
    statisticsThrough = try row.integer(.statisticsThrough)
    statisticsZone = try row.text(.statisticsZone)
  }
}
