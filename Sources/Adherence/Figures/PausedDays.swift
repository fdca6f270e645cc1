// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Scheduling
import Storage

/// The days on which plans were on hold.
enum PausedDays {
  /// Of one plan, in ascending order and apart from each other.
  static func of(
    _ plan: PlanID, patient: PatientID, zone: Zone, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [ClosedRange<CivilDate>] {
    try all(plan: plan, patient: patient, zone: zone, now: now, in: reader)[plan] ?? []
  }

  /// Reads them from the versions of the requests, by plan, in ascending order and apart from each other.
  ///
  /// A day counts when the plan was on hold as the day ended; today when it is on hold now.
  static func all(
    plan: PlanID? = nil, patient: PatientID, zone: Zone, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: [ClosedRange<CivilDate>]] {
    // Few of the versions can say so: the others are not read.
    let rows: [SQLRow]
    if let plan {
      rows = try reader.query(
        """
        SELECT id, version, last_updated, CASE WHEN body LIKE '%"on-hold"%' THEN body END
        FROM resources WHERE type = 'MedicationRequest' AND patient = $1 AND id = $2
        UNION ALL
        SELECT id, version, last_updated, CASE WHEN body LIKE '%"on-hold"%' THEN body END
        FROM resource_versions WHERE type = 'MedicationRequest' AND patient = $1 AND id = $2
        ORDER BY id, version
        """, [.text(patient), .text(plan)])
    } else {
      rows = try reader.query(
        """
        SELECT id, version, last_updated, CASE WHEN body LIKE '%"on-hold"%' THEN body END
        FROM resources WHERE type = 'MedicationRequest' AND patient = $1
        UNION ALL
        SELECT id, version, last_updated, CASE WHEN body LIKE '%"on-hold"%' THEN body END
        FROM resource_versions WHERE type = 'MedicationRequest' AND patient = $1
        ORDER BY id, version
        """, [.text(patient)])
    }
    var found: [PlanID: [ClosedRange<CivilDate>]] = [:]
    for (index, row) in rows.enumerated() {
      guard let body = try row.optionalText(3),
        let request = try? JSONValue(parsing: Array(body.utf8)),
        request["status"]?.string == "on-hold"
      else { continue }
      let plan: PlanID = try row.id(0)
      let first = zone.date(at: Instant(try row.timestamp(2)))
      let last: CivilDate
      if index + 1 < rows.count, try rows[index + 1].id(0) == plan {
        last = zone.date(at: Instant(try rows[index + 1].timestamp(2))).adding(days: -1)
      } else {
        last = zone.date(at: Instant(now))
      }
      if first <= last { found[plan, default: []].append(first...last) }
    }
    return found
  }
}
