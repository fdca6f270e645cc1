// SPDX-License-Identifier: Apache-2.0
import Access
import Identifiers
import Storage

extension RecordStore {
  /// Returns the versions of a record, newest first, including deletions; `before` continues a
  /// page.
  package func history(
    _ type: String, _ id: String, count: Int, before: Int64? = nil,
    authorization: Authorization, in reader: any SQLReader
  ) throws(RecordsError) -> [StoredRecord] {
    try check(authorization, .read, type)
    let records = try records(
      reader, Self.historyStatement,
      [
        .text(type), .text(authorization.patient), .text(id), .integer(before ?? .max),
        SQLValue(max(0, count)),
      ])
    if records.isEmpty, before == nil, count > 0 { throw .notFound }
    return records
  }

  private static let historyStatement = SQLStatement(
    """
    SELECT \(StoredRecord.columns) FROM resources
    WHERE type = $1 AND patient = $2 AND id = $3 AND version < $4
    UNION ALL
    SELECT \(StoredRecord.columns) FROM resource_versions
    WHERE type = $1 AND patient = $2 AND id = $3 AND version < $4
    ORDER BY version DESC LIMIT $5
    """)

  /// Returns one version, even of a record that was changed or deleted since.
  ///
  /// Throws ``RecordsError/gone`` for a deletion.
  package func read(
    _ type: String, _ id: String, version: Int64, authorization: Authorization,
    in reader: any SQLReader
  ) throws(RecordsError) -> StoredRecord {
    try check(authorization, .read, type)
    let records = try records(
      reader, Self.versionStatement,
      [.text(type), .text(authorization.patient), .text(id), .integer(version)])
    guard let record = records.first else { throw .notFound }
    if record.isDeleted { throw .gone }
    return record
  }

  private static let versionStatement = SQLStatement(
    """
    SELECT \(StoredRecord.columns) FROM resources
    WHERE type = $1 AND patient = $2 AND id = $3 AND version = $4
    UNION ALL
    SELECT \(StoredRecord.columns) FROM resource_versions
    WHERE type = $1 AND patient = $2 AND id = $3 AND version = $4
    """)

  private func records(
    _ reader: any SQLReader, _ statement: SQLStatement, _ arguments: [SQLValue]
  ) throws(RecordsError) -> [StoredRecord] {
    try storing { () throws(StorageError) in try reader.query(statement, arguments).decode() }
  }

  func check(
    _ authorization: Authorization, _ action: Action, _ type: String
  ) throws(RecordsError) {
    guard authorization.action == action, authorization.resource == type else {
      throw .notAuthorized
    }
  }

  /// Returns the version in which a record that is not current was deleted.
  func lastDeletion(
    _ type: String, _ id: String, _ patient: PatientID, in reader: any SQLReader
  ) throws(RecordsError) -> Int64? {
    try storing { () throws(StorageError) in
      try reader.first(
        """
        SELECT version FROM resource_versions WHERE type = $1 AND patient = $2 AND id = $3
        ORDER BY version DESC LIMIT 1
        """,
        [.text(type), .text(patient), .text(id)])?.value()
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
