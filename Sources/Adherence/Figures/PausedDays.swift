// SPDX-License-Identifier: Apache-2.0
import FHIR
import Scheduling
import Storage

/// The days on which a plan was on hold.
enum PausedDays {
  /// Reads them from the versions of the request, in ascending order and apart from each other.
  ///
  /// A day counts when the plan was on hold as the day ended; today when it is on hold now.
  static func of(
    _ plan: String, patient: String, zone: Zone, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [ClosedRange<CivilDate>] {
    // Few of the versions can say so: the others are not read.
    let rows = try reader.query(
      """
      SELECT version, last_updated, CASE WHEN body LIKE '%"on-hold"%' THEN body END FROM resources
      WHERE type = 'MedicationRequest' AND patient = $1 AND id = $2
      UNION ALL
      SELECT version, last_updated, CASE WHEN body LIKE '%"on-hold"%' THEN body END
      FROM resource_versions
      WHERE type = 'MedicationRequest' AND patient = $1 AND id = $2
      ORDER BY version
      """, [.text(patient), .text(plan)])
    var found: [ClosedRange<CivilDate>] = []
    for (index, row) in rows.enumerated() {
      guard let body = try row.optionalText(2),
        let request = try? JSONValue(parsing: Array(body.utf8)),
        request["status"]?.string == "on-hold"
      else { continue }
      let first = zone.date(at: Instant(try row.timestamp(1)))
      let last: CivilDate
      if index + 1 < rows.count {
        last = zone.date(at: Instant(try rows[index + 1].timestamp(1))).adding(days: -1)
      } else {
        last = zone.date(at: Instant(now))
      }
      if first <= last { found.append(first...last) }
    }
    return found
  }
}
