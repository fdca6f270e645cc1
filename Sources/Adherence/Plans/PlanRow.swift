// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Storage

/// A row of `plans` with the zone of its current and of its first era.
struct PlanRow: Sendable, Hashable {
  /// Stands in `active_from` while the plan was never active.
  static let never = Timestamp(milliseconds: .max)
  /// Stands in `planned_through` when no more doses can come.
  static let complete = Timestamp(milliseconds: .max)

  let patient: PatientID
  let plan: PlanID
  var requestVersion: Int64
  var status: String
  var unplanned: UnplannedReason?
  /// The name as written in the prescription.
  var medicineName: String
  /// The name shown to people; nil until ``PlanRereading`` has filled it in.
  var storedShownName: String?
  /// Keys, one per line.
  var ingredients: String
  var policy: ZonePolicy
  var era: Int64
  var kind: PlanKind
  var anchor: Timestamp
  var anchorDate: CivilDate
  var activeFrom: Timestamp
  var minimumGap: Int64?
  var plannedThrough: Timestamp
  let created: Timestamp
  var changed: Timestamp
  var zone: String
  let firstZone: String
  var eraSignature: String

  /// The name shown to people; see ``ShownName``.
  var shownName: String { storedShownName ?? medicineName }

  var isRinging: Bool { status == "active" && unplanned == nil }
}

enum PlanRows {
  static func load(_ plan: PlanID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> PlanRow?
  {
    let row = try reader.first(
      """
      SELECT p.patient, p.plan, p.request_version, p.status, p.unplanned_reason, p.medicine_name,
        p.ingredients, p.policy, p.era, p.kind, p.anchor, p.anchor_date, p.active_from,
        p.minimum_gap, p.planned_through, p.created, p.changed, e.zone, f.zone, e.kind,
        p.shown_name
      FROM plans p
      JOIN plan_eras e ON e.patient = p.patient AND e.plan = p.plan AND e.era = p.era
      JOIN plan_eras f ON f.patient = p.patient AND f.plan = p.plan AND f.era = 1
      WHERE p.patient = $1 AND p.plan = $2
      """, [.text(patient), .text(plan)])
    guard let row else { return nil }
    return try read(row)
  }

  /// The zone of the last place by whose clock a plan went.
  static func home(
    _ plan: PlanID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> String? {
    let zones = try reader.query(
      "SELECT zone FROM plan_eras WHERE patient = $1 AND plan = $2 ORDER BY era DESC",
      [.text(patient), .text(plan)])
    for found in zones {
      let zone = try found.text(0)
      if !FixedOffset.isFixed(zone) { return zone }
    }
    return nil
  }

  static func all(patient: PatientID, in reader: any SQLReader) throws(StorageError) -> [PlanRow] {
    let rows = try reader.query(
      """
      SELECT p.patient, p.plan, p.request_version, p.status, p.unplanned_reason, p.medicine_name,
        p.ingredients, p.policy, p.era, p.kind, p.anchor, p.anchor_date, p.active_from,
        p.minimum_gap, p.planned_through, p.created, p.changed, e.zone, f.zone, e.kind,
        p.shown_name
      FROM plans p
      JOIN plan_eras e ON e.patient = p.patient AND e.plan = p.plan AND e.era = p.era
      JOIN plan_eras f ON f.patient = p.patient AND f.plan = p.plan AND f.era = 1
      WHERE p.patient = $1 ORDER BY p.created, p.plan
      """, [.text(patient)])
    var plans: [PlanRow] = []
    for row in rows { plans.append(try read(row)) }
    return plans
  }

  /// Ringing plans whose dose rows end before an instant, those that are most behind first.
  static func behind(_ instant: Timestamp, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [(patient: PatientID, plan: PlanID)]
  {
    let rows = try reader.query(
      """
      SELECT patient, plan FROM plans
      WHERE status = 'active' AND unplanned_reason IS NULL AND planned_through < $1
      ORDER BY planned_through LIMIT $2
      """, [SQLValue(instant), SQLValue(limit)])
    var plans: [(patient: PatientID, plan: PlanID)] = []
    for row in rows { plans.append((try row.id(0), try row.id(1))) }
    return plans
  }

  static func insert(_ row: PlanRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO plans (patient, plan, request_version, status, unplanned_reason, medicine_name,
        ingredients, policy, era, kind, anchor, anchor_date, active_from, minimum_gap,
        planned_through, created, changed, shown_name)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
      """,
      [.text(row.patient), .text(row.plan)] + columns(row) + [
        SQLValue(row.created), SQLValue(row.changed), SQLValue(row.storedShownName),
      ])
  }

  static func update(_ row: PlanRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE plans SET request_version = $1, status = $2, unplanned_reason = $3,
        medicine_name = $4, ingredients = $5, policy = $6, era = $7, kind = $8, anchor = $9,
        anchor_date = $10, active_from = $11, minimum_gap = $12, planned_through = $13,
        changed = $14, shown_name = $15
      WHERE patient = $16 AND plan = $17
      """,
      columns(row) + [
        SQLValue(row.changed), SQLValue(row.storedShownName), .text(row.patient), .text(row.plan),
      ])
  }

  static func insertEra(_ row: PlanRow, starts: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      INSERT INTO plan_eras (patient, plan, era, zone, kind, starts)
      VALUES ($1, $2, $3, $4, $5, $6)
      """,
      [
        .text(row.patient), .text(row.plan), .integer(row.era), .text(row.zone),
        .text(row.eraSignature), SQLValue(starts),
      ])
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

  private static func columns(_ row: PlanRow) -> [SQLValue] {
    [
      .integer(row.requestVersion), .text(row.status), SQLValue(row.unplanned?.code),
      .text(row.medicineName), .text(row.ingredients), .text(row.policy.rawValue),
      .integer(row.era), .text(row.kind.rawValue), SQLValue(row.anchor),
      .text(row.anchorDate.text), SQLValue(row.activeFrom), SQLValue(row.minimumGap),
      SQLValue(row.plannedThrough),
    ]
  }

  static func read(_ row: SQLRow) throws(StorageError) -> PlanRow {
    let reason = try row.optionalText(4)
    guard let policy = ZonePolicy(rawValue: try row.text(7)) else {
      throw .unexpectedValue(column: 7, expected: .text)
    }
    guard let kind = PlanKind(rawValue: try row.text(9)) else {
      throw .unexpectedValue(column: 9, expected: .text)
    }
    guard let anchorDate = CivilDate(text: try row.text(11)) else {
      throw .unexpectedValue(column: 11, expected: .text)
    }
    let unplanned = reason.flatMap { UnplannedReason(code: $0) }
    guard (reason == nil) == (unplanned == nil) else {
      throw .unexpectedValue(column: 4, expected: .text)
    }
    return PlanRow(
      patient: try row.id(0), plan: try row.id(1), requestVersion: try row.integer(2),
      status: try row.text(3), unplanned: unplanned, medicineName: try row.text(5),
      storedShownName: try row.optionalText(20),
      ingredients: try row.text(6), policy: policy, era: try row.integer(8), kind: kind,
      anchor: try row.timestamp(10), anchorDate: anchorDate, activeFrom: try row.timestamp(12),
      minimumGap: try row.optionalInteger(13), plannedThrough: try row.timestamp(14),
      created: try row.timestamp(15), changed: try row.timestamp(16), zone: try row.text(17),
      firstZone: try row.text(18), eraSignature: try row.text(19))
  }
}
