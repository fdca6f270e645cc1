// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Storage

/// A medicine that was read from a hospital earlier.
struct KeptMedicine: Sendable {
  let json: JSONValue
  let tag: String?
  let fetched: Timestamp
}

/// A row of `hospital_medicines`.
struct HospitalMedicineRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case patient, connection, medicine, body, tag, fetched }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let connection: ConnectionID
  let medicine: String
  let body: String
  let tag: String?
  let fetched: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .connection: .text(connection)
    case .medicine: .text(medicine)
    case .body: .text(body)
    case .tag: SQLValue(tag)
    case .fetched: SQLValue(fetched)
    }
  }
}

/// The table `hospital_medicines`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum HospitalMedicineStore {
  /// Returns the medicines with the given ids that were read earlier and can still be decrypted.
  static func kept(
    _ ids: [String], of connection: ConnectionID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [String: KeptMedicine] {
    let rows = try reader.query(
      """
      SELECT \(HospitalMedicineRow.columns) FROM hospital_medicines
      WHERE patient = $1 AND connection = $2 AND medicine IN (
      """, [.text(patient), .text(connection)], in: ids.map { .text($0) })
    var found: [String: KeptMedicine] = [:]
    for row in rows {
      let columns = row.read(HospitalMedicineRow.self)
      guard let json = try? JSONValue(parsing: Array(try columns.text(.body).utf8)) else {
        continue
      }
      found[try columns.text(.medicine)] = KeptMedicine(
        json: json, tag: try columns.optionalText(.tag),
        fetched: try columns.timestamp(.fetched))
    }
    return found
  }

  static func put(_ row: HospitalMedicineRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(putStatement, row.values)
  }

  private static let putStatement = SQLStatement(
    """
    INSERT INTO hospital_medicines (\(HospitalMedicineRow.columns))
    VALUES (\(HospitalMedicineRow.placeholders))
    ON CONFLICT (patient, connection, medicine) DO UPDATE
    SET body = excluded.body, tag = excluded.tag, fetched = excluded.fetched
    """)

  static func deleteAll(
    of connection: ConnectionID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM hospital_medicines WHERE patient = $1 AND connection = $2",
      [.text(patient), .text(connection)])
  }
}
