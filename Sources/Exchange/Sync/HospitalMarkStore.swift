// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A row of `hospital_marks`: the progress of fetching a resource type over a connection.
struct HospitalMarkRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case patient, connection, type, since, tag, address }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let connection: ConnectionID
  let type: String
  let mark: HospitalMark

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .connection: .text(connection)
    case .type: .text(type)
    case .since: SQLValue(mark.since)
    case .tag: SQLValue(mark.tag)
    case .address: SQLValue(mark.address)
    }
  }
}

extension HospitalMark {
  fileprivate init(_ row: ColumnReader<HospitalMarkRow.Column>) throws(StorageError) {
    self.init(
      since: try row.optionalInteger(.since), tag: try row.optionalText(.tag),
      address: try row.optionalText(.address))
  }
}

/// The table `hospital_marks`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum HospitalMarkStore {
  /// Returns the marks of a connection by resource type.
  static func all(
    of connection: ConnectionID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [String: HospitalMark] {
    var marks: [String: HospitalMark] = [:]
    for row in try reader.query(ofConnection, [.text(patient), .text(connection)]) {
      let columns = row.read(HospitalMarkRow.self)
      marks[try columns.text(.type)] = try HospitalMark(columns)
    }
    return marks
  }

  private static let ofConnection = SQLStatement(
    """
    SELECT \(HospitalMarkRow.columns) FROM hospital_marks
    WHERE patient = $1 AND connection = $2
    """)

  static func put(_ row: HospitalMarkRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(putStatement, row.values)
  }

  private static let putStatement = SQLStatement(
    """
    INSERT INTO hospital_marks (\(HospitalMarkRow.columns))
    VALUES (\(HospitalMarkRow.placeholders))
    ON CONFLICT (patient, connection, type) DO UPDATE
    SET since = excluded.since, tag = excluded.tag, address = excluded.address
    """)

  static func deleteAll(
    of connection: ConnectionID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM hospital_marks WHERE patient = $1 AND connection = $2",
      [.text(patient), .text(connection)])
  }
}
