// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage
import TimeZones

/// Zones whose rules on this machine are no longer those that doses were made by: after an update of
/// the system's zone files, or after a move of the data to another machine.
package struct ZoneDataChange: Sendable, Hashable {
  package let zone: String
  package let fingerprint: String

  /// Returns the zones in use whose files have changed; if there are any, makes the catalogue read
  /// them again.
  ///
  /// A zone seen for the first time is recorded as it is. A zone whose file is missing or damaged
  /// is skipped and keeps the rules that were read before.
  package static func found(_ zones: ZoneCatalog, in writer: any SQLWriter)
    throws(StorageError) -> [ZoneDataChange]
  {
    let rows = try writer.query(
      """
      SELECT z.zone, k.fingerprint FROM (
        SELECT DISTINCT e.zone FROM plan_eras e
        JOIN plans p ON p.patient = e.patient AND p.plan = e.plan AND p.era = e.era
        WHERE p.status = 'active' AND p.unplanned_reason IS NULL
        UNION
        SELECT DISTINCT u.zone FROM alarms a JOIN people u ON u.patient = a.patient
        WHERE a.is_on = 1 AND a.removed IS NULL
      ) z LEFT JOIN zone_rules k ON k.zone = z.zone ORDER BY z.zone
      """)
    var changes: [ZoneDataChange] = []
    for row in rows {
      let zone = try row.text(0)
      guard let fingerprint = try? zones.fingerprint(of: zone),
        (try? zones.check(zone)) != nil
      else { continue }
      let change = ZoneDataChange(zone: zone, fingerprint: fingerprint)
      guard let known = try row.optionalText(1) else {
        try change.keep(in: writer)
        continue
      }
      if known != fingerprint { changes.append(change) }
    }
    if !changes.isEmpty { zones.refresh() }
    return changes
  }

  /// Plans a batch of the zone's doses anew by its present rules, then when its alarms ring; where to go on, nil
  /// at the end.
  ///
  /// Begin with nil. A batch that is run twice changes nothing the second time; the new rules count
  /// as known only after the last one.
  package func follow(
    after place: Place?, limit: Int, now: Timestamp, zones: ZoneCatalog,
    in writer: any SQLWriter
  ) throws(PlanError) -> Place? {
    if let place, place.isAtAlarms {
      return try planning {
        try followAlarms(after: place, limit: limit, now: now, zones: zones, in: writer)
      }
    }
    return try planning {
      let rows = try writer.query(
        """
        SELECT p.patient, p.plan FROM plans p
        JOIN plan_eras e ON e.patient = p.patient AND e.plan = p.plan AND e.era = p.era
        WHERE e.zone = $1 AND p.status = 'active' AND p.unplanned_reason IS NULL
          AND (p.patient > $2 OR (p.patient = $2 AND p.plan > $3))
        ORDER BY p.patient, p.plan LIMIT $4
        """,
        [
          .text(zone), .text(place?.patient.text ?? ""), .text(place?.plan.text ?? ""),
          SQLValue(limit),
        ])
      var last: Place?
      for row in rows {
        let place = Place(patient: try row.id(0), plan: try row.id(1))
        last = place
        guard let person = try PeopleRows.load(place.patient, in: writer),
          var snapshot = try PlanSnapshot.load(place.plan, patient: place.patient, in: writer)
        else { continue }
        let change = PlanChange(now: now, zones: zones, writer: writer)
        try change.settle(&snapshot, rhythm: person.rhythm)
        try change.follow(snapshot, person: person, reason: .zoneChange)
      }
      return rows.count < limit ? Place(patient: PatientID(""), isAtAlarms: true) : last
    }
  }

  private func followAlarms(
    after place: Place, limit: Int, now: Timestamp, zones: ZoneCatalog, in writer: any SQLWriter
  ) throws -> Place? {
    let rows = try writer.query(
      """
      SELECT DISTINCT a.patient FROM alarms a JOIN people u ON u.patient = a.patient
      WHERE u.zone = $1 AND a.is_on = 1 AND a.removed IS NULL AND a.patient > $2
      ORDER BY a.patient LIMIT $3
      """, [.text(zone), .text(place.patient), SQLValue(limit)])
    var last: Place?
    for row in rows {
      let patient: PatientID = try row.id(0)
      last = Place(patient: patient, isAtAlarms: true)
      // Nobody did it: it is not audited.
      try AlarmCommands(patient: patient, account: AccountID(""), now: now, zones: zones)
        .followZone(in: writer)
    }
    guard rows.count < limit else { return last }
    try keep(in: writer)
    return nil
  }

  /// How far a walk over the plans has come.
  package struct Place: Sendable, Hashable {
    let patient: PatientID
    var plan = PlanID("")
    /// Whether the plans are done.
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
