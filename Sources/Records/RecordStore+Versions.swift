// SPDX-License-Identifier: Apache-2.0
import Access
import Identifiers
import Storage

extension RecordStore {
  /// Versions of a record, newest first, deletions among them; `before` continues a page.
  package func history(
    _ type: String, _ id: String, count: Int, before: Int64? = nil,
    authorization: Authorization, in reader: any SQLReader
  ) throws(RecordsError) -> [StoredRecord] {
    try check(authorization, .read, type)
    let records = try records(
      reader,
      """
      SELECT type, id, patient, version, last_updated, operation, body FROM resources
      WHERE type = $1 AND patient = $2 AND id = $3 AND version < $4
      UNION ALL
      SELECT type, id, patient, version, last_updated, operation, body FROM resource_versions
      WHERE type = $1 AND patient = $2 AND id = $3 AND version < $4
      ORDER BY version DESC LIMIT $5
      """,
      [
        .text(type), .text(authorization.patient), .text(id), .integer(before ?? .max),
        SQLValue(max(0, count)),
      ])
    if records.isEmpty, before == nil, count > 0 { throw .notFound }
    return records
  }

  /// One version, also of a record that was changed or deleted since.
  package func read(
    _ type: String, _ id: String, version: Int64, authorization: Authorization,
    in reader: any SQLReader
  ) throws(RecordsError) -> StoredRecord {
    try check(authorization, .read, type)
    let records = try records(
      reader,
      """
      SELECT type, id, patient, version, last_updated, operation, body FROM resources
      WHERE type = $1 AND patient = $2 AND id = $3 AND version = $4
      UNION ALL
      SELECT type, id, patient, version, last_updated, operation, body FROM resource_versions
      WHERE type = $1 AND patient = $2 AND id = $3 AND version = $4
      """,
      [.text(type), .text(authorization.patient), .text(id), .integer(version)])
    guard let record = records.first else { throw .notFound }
    if record.isDeleted { throw .gone }
    return record
  }

  private func records(
    _ reader: any SQLReader, _ sql: StaticString, _ arguments: [SQLValue]
  ) throws(RecordsError) -> [StoredRecord] {
    let rows = try storing { () throws(StorageError) in try reader.query(sql, arguments) }
    return try rows.map { row throws(RecordsError) in try StoredRecord(row) }
  }

  func check(
    _ authorization: Authorization, _ action: Action, _ type: String
  ) throws(RecordsError) {
    guard authorization.action == action, authorization.resource == type else {
      throw .notAuthorized
    }
  }

  func currentVersion(
    _ type: String, _ id: String, _ patient: PatientID, in reader: any SQLReader
  ) throws(RecordsError) -> Int64? {
    try storing { () throws(StorageError) in
      try reader.first(
        "SELECT version FROM resources WHERE type = $1 AND patient = $2 AND id = $3",
        [.text(type), .text(patient), .text(id)])?.integer(0)
    }
  }

  /// The version of the deletion of a record that is not in force.
  func lastDeletion(
    _ type: String, _ id: String, _ patient: PatientID, in reader: any SQLReader
  ) throws(RecordsError) -> Int64? {
    try storing { () throws(StorageError) in
      try reader.first(
        """
        SELECT version FROM resource_versions WHERE type = $1 AND patient = $2 AND id = $3
        ORDER BY version DESC LIMIT 1
        """,
        [.text(type), .text(patient), .text(id)])?.integer(0)
    }
  }

  func insert(
    _ record: StoredRecord, status: String?, _ authorization: Authorization,
    in writer: any SQLWriter
  ) throws(RecordsError) {
    try storing { () throws(StorageError) in
      try writer.execute(
        """
        INSERT INTO resources
          (type, patient, id, version, last_updated, status, operation, actor, body)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """,
        [
          .text(record.type), .text(record.patient), .text(record.id), .integer(record.version),
          SQLValue(record.lastUpdated), SQLValue(status), .text(record.operation.rawValue),
          .text(authorization.actor.accountID), .text(record.body),
        ])
    }
    audit(record, record.operation == .create ? .create : .update, authorization, in: writer)
  }

  /// Copies the version in force to the versions before the record takes its place.
  func supersede(_ record: StoredRecord, in writer: any SQLWriter) throws(RecordsError) {
    try storing { () throws(StorageError) in
      try writer.execute(
        """
        INSERT INTO resource_versions
          (type, patient, id, version, last_updated, operation, actor, body)
        SELECT type, patient, id, version, last_updated, operation, actor, body FROM resources
        WHERE type = $1 AND patient = $2 AND id = $3
        """,
        [.text(record.type), .text(record.patient), .text(record.id)])
    }
  }

  func audit(
    _ record: StoredRecord, _ kind: AuditEntry.Kind, _ authorization: Authorization,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: record.lastUpdated, actor: authorization.actor.accountID, kind: kind,
        patient: record.patient, resource: record.type, resourceID: record.id,
        version: record.version, purpose: authorization.purpose.rawValue,
        content: record.operation == .delete ? nil : record.body))
  }
}

extension StoredRecord {
  /// Reads type, id, patient, version, last_updated, operation, body.
  init(_ row: SQLRow) throws(RecordsError) {
    do throws(StorageError) {
      guard let operation = RecordOperation(rawValue: try row.text(5)) else {
        throw StorageError.unexpectedValue(column: 5, expected: .text)
      }
      self.init(
        type: try row.text(0), id: try row.text(1), patient: try row.id(2),
        version: try row.integer(3), lastUpdated: try row.timestamp(4), operation: operation,
        body: try row.optionalText(6) ?? "")
    } catch {
      throw .storage(error)
    }
  }
}
