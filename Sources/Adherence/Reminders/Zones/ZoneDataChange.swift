// SPDX-License-Identifier: Apache-2.0

import Storage
import TimeZones

/// Zones whose rules on this machine are no longer those that doses were made by: after an update of
/// the system's zone files, or after a move of the data to another machine.
package struct ZoneDataChange: Sendable, Hashable {
  package let zone: String
  package let fingerprint: String

  /// The zones in use whose files have changed; drops the catalogue's cache when there are any.
  ///
  /// A zone seen for the first time is written down as it is. A zone without a file is left out.
  package static func found(_ zones: ZoneCatalog, in writer: any SQLWriter)
    throws(StorageError) -> [ZoneDataChange]
  {
    let rows = try writer.query(
      """
      SELECT z.zone, k.fingerprint FROM (
        SELECT DISTINCT e.zone FROM plan_eras e
        JOIN plans p ON p.patient = e.patient AND p.plan = e.plan AND p.era = e.era
        WHERE p.status = 'active' AND p.unplanned_reason IS NULL
      ) z LEFT JOIN zone_rules k ON k.zone = z.zone ORDER BY z.zone
      """)
    var changes: [ZoneDataChange] = []
    for row in rows {
      let zone = try row.text(0)
      guard let fingerprint = try? zones.fingerprint(of: zone) else { continue }
      let change = ZoneDataChange(zone: zone, fingerprint: fingerprint)
      guard let known = try row.optionalText(1) else {
        try change.keep(in: writer)
        continue
      }
      if known != fingerprint { changes.append(change) }
    }
    if !changes.isEmpty { zones.dropCache() }
    return changes
  }

  /// Plans a batch of the zone's doses anew by its present rules; where to go on, nil at the end.
  ///
  /// Begin with nil. A batch that is run twice changes nothing the second time; the new rules count
  /// as known only after the last one.
  package func follow(
    after place: Place?, limit: Int, now: Timestamp, zones: ZoneCatalog,
    in writer: any SQLWriter
  ) throws(PlanError) -> Place? {
    try planning {
      let rows = try writer.query(
        """
        SELECT p.patient, p.plan FROM plans p
        JOIN plan_eras e ON e.patient = p.patient AND e.plan = p.plan AND e.era = p.era
        WHERE e.zone = $1 AND p.status = 'active' AND p.unplanned_reason IS NULL
          AND (p.patient > $2 OR (p.patient = $2 AND p.plan > $3))
        ORDER BY p.patient, p.plan LIMIT $4
        """,
        [
          .text(zone), .text(place?.patient ?? ""), .text(place?.plan ?? ""), SQLValue(limit),
        ])
      var last: Place?
      for row in rows {
        let place = Place(patient: try row.text(0), plan: try row.text(1))
        last = place
        guard let person = try PeopleRows.load(place.patient, in: writer),
          var snapshot = try PlanSnapshot.load(place.plan, patient: place.patient, in: writer)
        else { continue }
        let change = PlanChange(now: now, zones: zones, writer: writer)
        try change.settle(&snapshot, rhythm: person.rhythm)
        try change.follow(snapshot, person: person, reason: .zoneChange)
      }
      if rows.count < limit {
        try keep(in: writer)
        return nil
      }
      return last
    }
  }

  /// How far a walk over the plans has come.
  package struct Place: Sendable, Hashable {
    let patient: String
    let plan: String
  }

  private func keep(in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO zone_rules (zone, fingerprint) VALUES ($1, $2)
      ON CONFLICT (zone) DO UPDATE SET fingerprint = excluded.fingerprint
      """, [.text(zone), .text(fingerprint)])
  }
}
