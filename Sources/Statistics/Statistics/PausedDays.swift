// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Plans
import Scheduling
import Storage

/// The days on which plans were on hold.
enum PausedDays {
  /// Returns the days of one plan, as separate ranges in ascending order.
  static func of(
    _ plan: PlanID, patient: PatientID, zone: Zone, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [ClosedRange<CivilDate>] {
    try all(plan: plan, patient: patient, zone: zone, now: now, in: reader)[plan] ?? []
  }

  /// Reads the days from the versions of the requests, by plan, as separate ranges in ascending order.
  ///
  /// A day counts if the plan was on hold at its end, and today if it is on hold now.
  static func all(
    plan: PlanID? = nil, patient: PatientID, zone: Zone, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: [ClosedRange<CivilDate>]] {
    // Only the few versions that can contain a hold are read.
    let rows: [SQLRow]
    if let plan {
      rows = try reader.query(ofPlanStatement, [.text(patient), .text(plan)])
    } else {
      rows = try reader.query(ofAllStatement, [.text(patient)])
    }
    let versions: [RequestVersionRow] = try rows.decode()
    var found: [PlanID: [ClosedRange<CivilDate>]] = [:]
    for (index, version) in versions.enumerated() {
      guard let body = version.body,
        let request = try? JSONValue(parsing: Array(body.utf8)),
        request["status"]?.string == "on-hold"
      else { continue }
      let first = zone.date(at: Instant(version.lastUpdated))
      let last: CivilDate
      if index + 1 < versions.count, versions[index + 1].id == version.id {
        last = zone.date(at: Instant(versions[index + 1].lastUpdated)).adding(days: -1)
      } else {
        last = zone.date(at: Instant(now))
      }
      if first <= last { found[version.id, default: []].append(first...last) }
    }
    return found
  }

  private static let ofPlanStatement = SQLStatement(
    """
    SELECT \(RequestVersionRow.columns)
    FROM resources WHERE type = 'MedicationRequest' AND patient = $1 AND id = $2
    UNION ALL
    SELECT \(RequestVersionRow.columns)
    FROM resource_versions WHERE type = 'MedicationRequest' AND patient = $1 AND id = $2
    ORDER BY id, version
    """)

  private static let ofAllStatement = SQLStatement(
    """
    SELECT \(RequestVersionRow.columns)
    FROM resources WHERE type = 'MedicationRequest' AND patient = $1
    UNION ALL
    SELECT \(RequestVersionRow.columns)
    FROM resource_versions WHERE type = 'MedicationRequest' AND patient = $1
    ORDER BY id, version
    """)
}

/// A version of a request, with its body if that can say that it was on hold.
struct RequestVersionRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case id, version, lastUpdated, body
  }

  static let columns = SQLColumns<Column>([
    .body: "CASE WHEN body LIKE '%\"on-hold\"%' THEN body END"
  ])

  let id: PlanID
  let lastUpdated: Timestamp
  let body: String?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    id = try row.id(.id)
    lastUpdated = try row.timestamp(.lastUpdated)
    body = try row.optionalText(.body)
  }
}
