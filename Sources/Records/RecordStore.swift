// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage

/// The FHIR store.
///
/// Every call takes an authorization, and every change keeps the previous version and writes its audit entry
/// in the same transaction. The functions work on a given reader or writer, so that a command combines
/// several of them in one transaction.
package struct RecordStore: Sendable {
  /// Creates a store, which has no state of its own.
  package init() {}

  /// Returns the patient of a record, even after its deletion; nil for an id that was never used.
  ///
  /// Only to decide access: the caller must reveal nothing of it before that.
  package func patient(
    of type: String, id: String, in reader: any SQLReader
  ) throws(RecordsError) -> PatientID? {
    try storing { () throws(StorageError) in
      try reader.first(
        "SELECT patient FROM resource_keys WHERE type = $1 AND id = $2", [.text(type), .text(id)]
      )?.value()
    }
  }

  /// Returns the current version of a record.
  ///
  /// - Throws: ``RecordsError/notFound``, or ``RecordsError/gone`` after its deletion.
  package func read(
    _ type: String, _ id: String, authorization: Authorization, in reader: any SQLReader
  ) throws(RecordsError) -> StoredRecord {
    try check(authorization, .read, type)
    let record = try currentRecord(type, id, authorization.patient, in: reader)
    if let record { return record }
    throw try lastDeletion(type, id, authorization.patient, in: reader) == nil ? .notFound : .gone
  }

  private func currentRecord(
    _ type: String, _ id: String, _ patient: PatientID, in reader: any SQLReader
  ) throws(RecordsError) -> StoredRecord? {
    try storing { () throws(StorageError) -> StoredRecord? in
      try reader.first(
        Self.inForceStatement, [.text(type), .text(patient), .text(id)])?.decode()
    }
  }

  private static let inForceStatement = SQLStatement(
    """
    SELECT \(StoredRecord.columns) FROM resources WHERE type = $1 AND patient = $2 AND id = $3
    """)

  /// Stores a new resource under an id that was never used before; its version is 1.
  package func create(
    _ resource: JSONValue, type: String, id: String, authorization: Authorization, at: Timestamp,
    in writer: any SQLWriter
  ) throws(RecordsError) -> StoredRecord {
    try check(authorization, .create, type)
    let patient = authorization.patient
    let content = try RecordContent(
      resource, type: type, id: id, patient: patient, version: 1, at: at,
      lookup: lookup(in: writer))
    let taken = try storing { () throws(StorageError) in
      try writer.execute(
        """
        INSERT INTO resource_keys (type, id, patient) VALUES ($1, $2, $3)
        ON CONFLICT (type, id) DO NOTHING
        """,
        [.text(type), .text(id), .text(patient)])
    }
    guard taken == 1 else { throw .idTaken }
    let record = StoredRecord(
      type: type, id: id, patient: patient, version: 1, lastUpdated: at, operation: .create,
      body: content.body)
    try insert(record, content, authorization, in: writer)
    return record
  }

  /// Stores a new version of a record; a deleted record is restored by it.
  ///
  /// With `ifVersion`, the record must still have that version, otherwise
  /// ``RecordsError/versionConflict(current:)`` is thrown.
  ///
  /// - Parameter read: the current record, if it was read in this transaction; nil to read it.
  package func update(
    _ resource: JSONValue, type: String, id: String, ifVersion: Int64?,
    replacing read: StoredRecord? = nil, authorization: Authorization, at: Timestamp,
    in writer: any SQLWriter
  ) throws(RecordsError) -> StoredRecord {
    try check(authorization, .update, type)
    let patient = authorization.patient
    let inForce: StoredRecord? =
      if let read { read } else { try currentRecord(type, id, patient, in: writer) }
    let deleted = inForce == nil ? try lastDeletion(type, id, patient, in: writer) : nil
    guard let current = inForce?.version ?? deleted else { throw .notFound }
    if let ifVersion, ifVersion != current { throw .versionConflict(current: current) }
    let content = try RecordContent(
      resource, type: type, id: id, patient: patient, version: current + 1, at: at,
      lookup: lookup(in: writer))
    let record = StoredRecord(
      type: type, id: id, patient: patient, version: current + 1, lastUpdated: at,
      operation: .update, body: content.body)
    guard let inForce else {
      try insert(record, content, authorization, in: writer)
      return record
    }
    try supersede(record, in: writer)
    guard try replace(inForce, by: record, content, authorization, in: writer)
    else { throw .versionConflict(current: current) }
    audit(record, .update, authorization, in: writer)
    return record
  }

  /// Returns the lookup of other resources' patients, for the resources that belong to the patient of one.
  private func lookup(in reader: any SQLReader) -> RecordSubject.Lookup {
    { (type, id) throws(RecordsError) in try patient(of: type, id: id, in: reader) }
  }

  /// Deletes a record; its versions stay, and its id cannot be used again.
  ///
  /// Returns the deletion as a version.
  package func delete(
    _ type: String, _ id: String, ifVersion: Int64?, authorization: Authorization, at: Timestamp,
    in writer: any SQLWriter
  ) throws(RecordsError) -> StoredRecord {
    try check(authorization, .delete, type)
    let patient = authorization.patient
    guard let current = try currentRecord(type, id, patient, in: writer) else {
      throw try lastDeletion(type, id, patient, in: writer) == nil ? .notFound : .gone
    }
    if let ifVersion, ifVersion != current.version {
      throw .versionConflict(current: current.version)
    }
    let record = StoredRecord(
      type: type, id: id, patient: patient, version: current.version + 1, lastUpdated: at,
      operation: .delete, body: "")
    try supersede(record, in: writer)
    try remove(current, by: record, authorization, in: writer)
    audit(record, .delete, authorization, in: writer)
    return record
  }
}
