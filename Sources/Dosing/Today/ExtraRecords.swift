// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Plans
import Storage

/// Reads intakes, and medicines skipped on purpose, outside the planned doses.
package enum ExtraRecords {
  /// Returns the records in [from, until), in no particular order; only the latest `most` of each
  /// kind unless nil.
  package static func between(
    _ from: Timestamp, _ until: Timestamp, _ filter: HistoryFilter, most: Int? = nil,
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [ExtraRecord] {
    var records: [ExtraRecord] = []
    if filter.includesExtraTaken {
      var query = HistoryQuery(
        "SELECT \(ExtraTakenRow.columns) FROM intakes i WHERE i.occurrence IS NULL")
      query.append(" AND i.patient = ", .text(patient))
      if let plan = filter.plan { query.append(" AND i.plan = ", .text(plan)) }
      query.append(" AND i.taken >= ", SQLValue(from))
      query.append(" AND i.taken < ", SQLValue(until))
      if let most {
        query.append(" ORDER BY i.taken DESC, i.administration DESC LIMIT ", SQLValue(most))
      }
      for row in try query.rows(in: reader) {
        records.append(try record(row.read(ExtraTakenRow.self)))
      }
    }
    if filter.includesExtraSkipped {
      var query = HistoryQuery(
        """
        SELECT \(ExtraSkippedRow.columns), \(ExtraBodyRow.columns)
        FROM answers a LEFT JOIN plans p ON p.patient = a.patient AND p.plan = a.plan
        LEFT JOIN resources r ON r.type = 'MedicationAdministration' AND r.patient = a.patient
          AND r.id = a.administration AND a.plan IS NULL
        WHERE a.occurrence IS NULL AND a.action = 'skipped'
          AND a.administration IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM answers u WHERE u.patient = a.patient AND u.occurrence IS NULL
              AND u.action = 'undo' AND u.administration = a.administration)
        """)
      query.append(" AND a.patient = ", .text(patient))
      if let plan = filter.plan { query.append(" AND a.plan = ", .text(plan)) }
      query.append(" AND a.at >= ", SQLValue(from))
      query.append(" AND a.at < ", SQLValue(until))
      if let most {
        query.append(" ORDER BY a.at DESC, a.administration DESC LIMIT ", SQLValue(most))
      }
      for row in try query.rows(in: reader) {
        // Without a plan, only the record itself has the medicine that was skipped.
        let body = try row.read(ExtraBodyRow.self, after: ExtraSkippedRow.self)
          .optionalText(.body)
        let name = body.flatMap(medicineName(in:))
        records.append(try record(row.read(ExtraSkippedRow.self), name: name))
      }
    }
    return records
  }

  /// Returns the reasons given for extra intakes in [from, until), by administration.
  package static func reasons(
    _ from: Timestamp, _ until: Timestamp, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [AdministrationID: String] {
    let rows = try reader.query(
      reasonsStatement, [.text(patient), SQLValue(from), SQLValue(until)])
    var reasons: [AdministrationID: String] = [:]
    for row in rows {
      let row = row.read(ExtraTakenReasonRow.self)
      reasons[try row.id(.administration)] = try row.text(.reason)
    }
    return reasons
  }

  private static let reasonsStatement = SQLStatement(
    """
    SELECT \(ExtraTakenReasonRow.columns)
    FROM answers a JOIN intakes i ON i.patient = a.patient
      AND i.administration = a.administration AND i.taken = a.at
    WHERE a.patient = $1 AND a.at >= $2 AND a.at < $3 AND a.occurrence IS NULL
      AND i.occurrence IS NULL AND a.action = 'taken' AND a.reason IS NOT NULL
    GROUP BY i.administration
    """)

  /// Returns the time of the record at the given position, counted backwards from an instant in
  /// each kind; the later time if both kinds have that many, nil if neither has.
  package static func moment(
    _ count: Int, before instant: Timestamp, _ filter: HistoryFilter, patient: PatientID,
    in reader: any SQLReader
  ) throws(StorageError) -> Timestamp? {
    var found: [Timestamp] = []
    if filter.includesExtraTaken {
      var query = HistoryQuery("SELECT i.taken FROM intakes i WHERE i.occurrence IS NULL")
      query.append(" AND i.patient = ", .text(patient))
      if let plan = filter.plan { query.append(" AND i.plan = ", .text(plan)) }
      query.append(" AND i.taken < ", SQLValue(instant))
      query.append(" ORDER BY i.taken DESC LIMIT 1 OFFSET ", SQLValue(count - 1))
      found += try query.rows(in: reader).values()
    }
    if filter.includesExtraSkipped {
      var query = HistoryQuery(
        """
        SELECT a.at FROM answers a
        WHERE a.occurrence IS NULL AND a.action = 'skipped'
          AND a.administration IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM answers u WHERE u.patient = a.patient AND u.occurrence IS NULL
              AND u.action = 'undo' AND u.administration = a.administration)
        """)
      query.append(" AND a.patient = ", .text(patient))
      if let plan = filter.plan { query.append(" AND a.plan = ", .text(plan)) }
      query.append(" AND a.at < ", SQLValue(instant))
      query.append(" ORDER BY a.at DESC LIMIT 1 OFFSET ", SQLValue(count - 1))
      found += try query.rows(in: reader).values()
    }
    return found.max()
  }

  private static func medicineName(in body: String) -> String? {
    guard let resource = try? JSONValue(parsing: Array(body.utf8)) else { return nil }
    return MedicationAdministrationView(resource).medicationName
  }

  private static func record(
    _ row: ColumnReader<ExtraTakenRow.Column>, name: String? = nil
  ) throws(StorageError) -> ExtraRecord {
    let planName = try row.text(.medicineName)
    return ExtraRecord(
      administration: try row.id(.administration), plan: try row.optionalID(.plan),
      medicineName: name ?? planName, taken: try row.bool(.isTaken), at: try row.timestamp(.at),
      recorded: try row.timestamp(.recorded), by: try row.text(.byName),
      reason: try row.optionalText(.reason),
      amount: Amount(
        column: try row.optionalText(.amountValue), unit: try row.optionalText(.amountUnit),
        code: nil))
  }
}

/// The columns of an ``ExtraRecord`` that was taken.
enum ExtraTakenRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case administration, plan, medicineName, at, recorded, byName, amountValue, amountUnit
    case reason, isTaken
  }

  static let columns = SQLColumns<Column>(
    of: "i",
    [
      .at: "i.taken",
      .reason: """
      (SELECT MAX(a.reason) FROM answers a
        WHERE a.patient = i.patient AND a.at = i.taken AND a.occurrence IS NULL
          AND a.administration = i.administration AND a.action = 'taken')
      """, .isTaken: "1",
    ])
}

/// The columns of an ``ExtraRecord`` that was skipped on purpose.
enum ExtraSkippedRow: SQLRowType {
  typealias Column = ExtraTakenRow.Column

  static let columns = SQLColumns<Column>(
    of: "a",
    [.medicineName: "COALESCE(p.shown_name, p.medicine_name, '')", .isTaken: "0"])
}

/// The record of an entry without a plan.
enum ExtraBodyRow: SQLRowType {
  enum Column: Int, SQLColumn { case body }

  static let columns = SQLColumns<Column>(of: "r")
}

/// The reason given for an extra intake.
enum ExtraTakenReasonRow: SQLRowType {
  enum Column: Int, SQLColumn { case administration, reason }

  static let columns = SQLColumns<Column>(of: "i", [.reason: "MAX(a.reason)"])
}
