// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

/// Events that come with time, or from elsewhere in the program, and are looked for.
package enum LookedEvents {
  /// An event that was found.
  package struct Found: Sendable, Hashable {
    /// The patient whom it is about.
    package let patient: PatientID
    /// The id of the resource that it is about: the prescription of a dose, or the patient.
    package let id: String
    /// The version of that resource; nil for the current one.
    package let version: Int64?
    /// The time of the event.
    package let happened: Timestamp
  }

  /// The doses that can still count as missed, in milliseconds before the first moment.
  private static let reach: Int64 = 40 * 86_400_000
  /// The most events of a patient in one look; an outage of months brings no more.
  private static let most = 500

  /// Returns the doses of a patient that became missed after a moment, up to another one.
  package static func missedDoses(
    of patient: PatientID, after start: Timestamp, through end: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> [Found] {
    try reader.query(
      missedStatement,
      [
        .text(patient), SQLValue(start.adding(milliseconds: -reach)), SQLValue(end),
        SQLValue(start), SQLValue(most),
      ]
    ).decode(as: MissedEventRow.self).map { row in
      Found(patient: patient, id: row.plan, version: row.version, happened: row.missed)
    }
  }

  private static let missedStatement = SQLStatement(
    """
    SELECT \(MissedEventRow.columns) FROM doses d
    JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
    WHERE d.patient = $1 AND d.state = 'open' AND d.due >= $2 AND d.due <= $3
      AND CASE WHEN d.later_until > d.late_until THEN d.later_until ELSE d.late_until END > $4
      AND CASE WHEN d.later_until > d.late_until THEN d.later_until ELSE d.late_until END <= $3
    ORDER BY d.due, d.plan LIMIT $5
    """)

  /// Returns the warnings about a patient's heart rate after a moment, up to another one.
  package static func warnings(
    of patient: PatientID, after start: Timestamp, through end: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> [Found] {
    let created: [Timestamp] = try reader.query(
      """
      SELECT created FROM heart_rate_warnings
      WHERE patient = $1 AND kind = 'heart' AND created > $2 AND created <= $3
      ORDER BY created LIMIT $4
      """, [.text(patient), SQLValue(start), SQLValue(end), SQLValue(most)]
    ).values()
    return created.map {
      Found(patient: patient, id: patient.text, version: nil, happened: $0)
    }
  }

  /// Returns all patients.
  package static func everyone(in reader: any SQLReader) throws(StorageError) -> [PatientID] {
    try reader.query("SELECT patient FROM people ORDER BY patient").values()
  }
}

/// A dose that was missed.
struct MissedEventRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case plan, version, missed }

  static let columns = SQLColumns<Column>(
    of: "d",
    [
      .version: "p.request_version",
      .missed: "CASE WHEN d.later_until > d.late_until THEN d.later_until ELSE d.late_until END",
    ])

  let plan: String
  let version: Int64
  let missed: Timestamp

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    plan = try row.text(.plan)
    version = try row.integer(.version)
    missed = try row.timestamp(.missed)
  }
}
