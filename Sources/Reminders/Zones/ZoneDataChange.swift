// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Storage
import TimeZones

/// A zone whose rules on this machine differ from those by which doses were planned, after an update of the
/// zone files or a move of the data to another machine.
package struct ZoneDataChange: Sendable, Hashable {
  /// The name of the zone, such as `Europe/Berlin`.
  package let zone: String
  /// The fingerprint of the zone's current rules on this machine.
  package let fingerprint: String

  /// Returns the zones in use whose files have changed; if there are any, makes the catalogue read
  /// them again.
  ///
  /// A zone seen for the first time is recorded as it is. A zone whose file is missing or damaged
  /// is skipped and keeps the rules that were read before.
  package static func found(_ zones: ZoneCatalog, in writer: any SQLWriter)
    throws(StorageError) -> [ZoneDataChange]
  {
    var changes: [ZoneDataChange] = []
    for row in try writer.query(foundStatement, []).decode(as: ZoneInUseRow.self) {
      guard let fingerprint = try? zones.fingerprint(of: row.zone),
        (try? zones.check(row.zone)) != nil
      else { continue }
      let change = ZoneDataChange(zone: row.zone, fingerprint: fingerprint)
      guard let known = row.fingerprint else {
        try change.keep(in: writer)
        continue
      }
      if known != fingerprint { changes.append(change) }
    }
    if !changes.isEmpty { zones.refresh() }
    return changes
  }

  private static let foundStatement = SQLStatement(
    """
    SELECT \(ZoneInUseRow.columns) FROM (
      SELECT DISTINCT e.zone FROM plan_eras e
      JOIN plans p ON p.patient = e.patient AND p.plan = e.plan AND p.era = e.era
      WHERE p.status = 'active' AND p.unplanned_reason IS NULL
      UNION
      SELECT DISTINCT u.zone FROM alarms a JOIN people u ON u.patient = a.patient
      WHERE a.is_on = 1 AND a.removed IS NULL
    ) z LEFT JOIN zone_rules k ON k.zone = z.zone ORDER BY z.zone
    """)

  /// Plans a batch of the zone's doses again by its current rules, then the times of its alarms.
  ///
  /// Start with nil; returns the place to continue from, or nil at the end. A batch that runs twice changes
  /// nothing the second time. The new rules count as known only after the last batch.
  package func follow(
    after place: Place?, limit: Int, now: Timestamp, zones: ZoneCatalog,
    consequences: Consequences, in writer: any SQLWriter
  ) throws(PlanError) -> Place? {
    if let place, place.isAtAlarms {
      return try planning {
        try followAlarms(after: place, limit: limit, now: now, zones: zones, in: writer)
      }
    }
    return try planning {
      let rows = try writer.query(
        Self.plansStatement,
        [
          .text(zone), .text(place?.patient.text ?? ""), .text(place?.plan.text ?? ""),
          SQLValue(limit),
        ])
      var last: Place?
      for row in try rows.decode(as: ZonePlanRow.self) {
        let place = Place(patient: row.patient, plan: row.plan)
        last = place
        guard let person = try PeopleRows.load(place.patient, in: writer),
          var snapshot = try PlanSnapshot.load(place.plan, patient: place.patient, in: writer)
        else { continue }
        let change = PlanChange(
          now: now, zones: zones, consequences: consequences, writer: writer)
        try change.settle(&snapshot, rhythm: person.rhythm)
        try change.follow(snapshot, person: person, reason: .zoneChange)
      }
      return rows.count < limit ? Place(patient: PatientID(""), isAtAlarms: true) : last
    }
  }

  private static let plansStatement = SQLStatement(
    """
    SELECT \(ZonePlanRow.columns) FROM plans p
    JOIN plan_eras e ON e.patient = p.patient AND e.plan = p.plan AND e.era = p.era
    WHERE e.zone = $1 AND p.status = 'active' AND p.unplanned_reason IS NULL
      AND (p.patient > $2 OR (p.patient = $2 AND p.plan > $3))
    ORDER BY p.patient, p.plan LIMIT $4
    """)

  private func followAlarms(
    after place: Place, limit: Int, now: Timestamp, zones: ZoneCatalog, in writer: any SQLWriter
  ) throws -> Place? {
    let patients = try writer.query(
      """
      SELECT DISTINCT a.patient FROM alarms a JOIN people u ON u.patient = a.patient
      WHERE u.zone = $1 AND a.is_on = 1 AND a.removed IS NULL AND a.patient > $2
      ORDER BY a.patient LIMIT $3
      """, [.text(zone), .text(place.patient), SQLValue(limit)]
    ).values(as: PatientID.self)
    var last: Place?
    for patient in patients {
      last = Place(patient: patient, isAtAlarms: true)
      // Not audited, because no one did it.
      try AlarmCommands(patient: patient, account: AccountID(""), now: now, zones: zones)
        .followZone(in: writer)
    }
    guard patients.count < limit else { return last }
    try keep(in: writer)
    return nil
  }

  /// The position of a pass over the plans.
  package struct Place: Sendable, Hashable {
    let patient: PatientID
    var plan = PlanID("")
    /// True if the plans are done.
    var isAtAlarms = false
  }

  private func keep(in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO zone_rules (zone, fingerprint) VALUES ($1, $2)
      ON CONFLICT (zone) DO UPDATE SET fingerprint = excluded.fingerprint
      """, [.text(zone), .text(fingerprint)])
  }
}

/// A zone in use, with the rules by which its doses were planned.
struct ZoneInUseRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case zone, fingerprint
  }

  static let columns = SQLColumns<Column>(of: "z", [.fingerprint: "k.fingerprint"])

  let zone: String
  /// The fingerprint; nil for a zone seen for the first time.
  let fingerprint: String?

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    zone = try columns.text(.zone)
    fingerprint = try columns.optionalText(.fingerprint)
  }
}

/// A plan whose doses follow a zone.
struct ZonePlanRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, plan
  }

  static let columns = SQLColumns<Column>(of: "p")

  let patient: PatientID
  let plan: PlanID

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    plan = try columns.id(.plan)
  }
}
