// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Scheduling
import Storage
import TimeZones

/// The repeated reading of stored prescriptions after an upgrade, since this version may be able to
/// plan what an earlier one could not.
///
/// All of them were accepted on arrival or entered by the person. A plan that can give doses now
/// does so from now on, as after a pause; nothing in the past becomes due.
package enum PlanRereading {
  /// The position of a walk over all plans, with the number of plans that began to give doses.
  package struct Progress: Sendable, Hashable {
    var patient = ""
    var plan = ""
    /// The number of plans that began to give doses.
    package var begun = 0
    /// True if all plans have been read.
    package var isDone = false

    /// Creates the beginning of a walk.
    package init() {}
  }

  private static let reader = "timing"

  /// Returns true if this version of the reader has not yet read everything stored.
  package static func isDue(in reader: any SQLReader) throws(StorageError) -> Bool {
    let version = try reader.first(
      "SELECT version FROM readers WHERE reader = $1", [.text(Self.reader)])?
      .value(as: Int64.self)
    return version ?? 0 < TimingReader.version
  }

  /// Reads a batch of at most `limit` plans again and returns the new position; after the last one
  /// the version is recorded as done.
  ///
  /// Running a batch twice changes nothing the second time.
  package static func readAgain(
    after progress: Progress, limit: Int, now: Timestamp, zones: ZoneCatalog,
    consequences: Consequences, in writer: any SQLWriter
  ) throws(PlanError) -> Progress {
    try planning {
      var progress = progress
      let rows: [PlanKeyRow] = try writer.query(
        nextStatement, [.text(progress.patient), .text(progress.plan), SQLValue(limit)]
      ).decode()
      for row in rows {
        progress.patient = row.patient.text
        progress.plan = row.plan.text
        let isBegun = try begins(
          row.plan, patient: row.patient,
          PlanChange(now: now, zones: zones, consequences: consequences, writer: writer))
        if isBegun { progress.begun += 1 }
      }
      if rows.count < limit {
        try note(in: writer)
        progress.isDone = true
      }
      return progress
    }
  }

  private static let nextStatement = SQLStatement(
    """
    SELECT \(PlanKeyRow.columns) FROM plans
    WHERE (patient > $1 OR (patient = $1 AND plan > $2))
    ORDER BY patient, plan LIMIT $3
    """)

  private static func begins(
    _ plan: PlanID, patient: PatientID, _ change: PlanChange
  ) throws -> Bool {
    let writer = change.writer
    guard let person = try PeopleRows.load(patient, in: writer),
      var snapshot = try PlanSnapshot.load(plan, patient: patient, in: writer)
    else { return false }
    // Earlier versions stored names without the strength.
    try ShownNames.renew(
      &snapshot, in: person.language, consequences: change.consequences, writer: writer)
    guard snapshot.row.status == "active" else { return false }
    // Earlier versions did not store limits.
    try LimitRows.note(snapshot.request, plan: plan, patient: patient, in: writer)
    if snapshot.row.unplanned == nil {
      try noteCycle(snapshot, change.zones, writer)
    }
    do {
      guard snapshot.row.unplanned != nil else {
        try change.checkAgain(snapshot, person: person)
        return false
      }
      return try change.readAgain(snapshot, person: person)
    } catch is ZoneError {
      // Keep the reason; the zone may be available after a later start.
      return false
    }
  }

  /// Stores days on and off, which earlier versions did not.
  private static func noteCycle(
    _ snapshot: PlanSnapshot, _ zones: ZoneCatalog, _ writer: any SQLWriter
  ) throws {
    let row = snapshot.row
    guard let zone = try? zones.zone(ofEra: row.zone), let first = try? zones.zone(row.firstZone)
    else {
      return
    }
    let anchor = PlanAnchor(instant: Instant(row.anchor), date: row.anchorDate, zone: first)
    guard
      case .rules(let rules) = TimingReader.read(snapshot.request, anchor: anchor, zone: zone)
    else { return }
    try CycleRows.note(
      CycleDays(rules, zone: zone), plan: row.plan, patient: row.patient, in: writer)
  }

  private static func note(in writer: any SQLWriter) throws(StorageError) {
    let row = ReaderRow(reader: reader, version: TimingReader.version)
    try writer.execute(noteStatement, row.values)
  }

  private static let noteStatement = SQLStatement(
    """
    INSERT INTO readers (\(ReaderRow.columns)) VALUES (\(ReaderRow.placeholders))
    ON CONFLICT (reader) DO UPDATE SET version = excluded.version
    """)
}

/// A row of `readers`: the version of a reader that has read everything stored.
struct ReaderRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case reader, version
  }

  static let columns = SQLColumns<Column>()

  let reader: String
  let version: Int64

  func value(of column: Column) -> SQLValue {
    switch column {
    case .reader: .text(reader)
    case .version: .integer(version)
    }
  }
}
