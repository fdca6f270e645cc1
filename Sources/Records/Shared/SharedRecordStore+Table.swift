// SPDX-License-Identifier: Apache-2.0
import Access
import Identifiers
import Storage

/// The statements that change the tables `shared_resources` and `shared_resource_versions`.
extension SharedRecordStore {
  /// Makes a resource current that was not, with its audit entry; returns false if another has its id.
  func insert(
    _ record: StoredRecord, _ content: RecordContent, _ authorization: Authorization,
    in writer: any SQLWriter
  ) throws(RecordsError) -> Bool {
    let isInserted = try storing { () throws(StorageError) -> Bool in
      let row = NewSharedResourceRow(
        record: record, status: content.status, actor: authorization.actor.accountID)
      let count = try writer.execute(Self.insertStatement, row.values)
      guard count == 1 else { return false }
      try RecordIndex.write(content.rows, for: record.indexed, in: writer)
      return true
    }
    if isInserted {
      audit(record, record.operation == .create ? .create : .update, authorization, in: writer)
    }
    return isInserted
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO shared_resources (\(NewSharedResourceRow.columns))
    VALUES (\(NewSharedResourceRow.placeholders)) ON CONFLICT (type, id) DO NOTHING
    """)

  /// Makes a resource current in place of its last version; returns false if that has changed meanwhile.
  func replace(
    _ current: StoredRecord, by record: StoredRecord, _ content: RecordContent,
    _ authorization: Authorization, in writer: any SQLWriter
  ) throws(RecordsError) -> Bool {
    let old = current.indexRows
    return try storing { () throws(StorageError) -> Bool in
      let replaced = try writer.execute(
        """
        UPDATE shared_resources SET version = $1, last_updated = $2, status = $3, operation = $4,
          actor = $5, body = $6
        WHERE type = $7 AND id = $8 AND version = $9
        """,
        [
          .integer(record.version), SQLValue(record.lastUpdated), SQLValue(content.status),
          .text(record.operation.rawValue), .text(authorization.actor.accountID),
          .text(record.body), .text(record.type), .text(record.id), .integer(current.version),
        ])
      guard replaced == 1 else { return false }
      try RecordIndex.change(old, to: content.rows, for: record.indexed, in: writer)
      return true
    }
  }

  /// Copies the current version to the older versions before the resource is replaced.
  func supersede(_ record: StoredRecord, in writer: any SQLWriter) throws(RecordsError) {
    try storing { () throws(StorageError) in
      try writer.execute(
        """
        INSERT INTO shared_resource_versions
          (type, id, version, last_updated, operation, actor, body)
        SELECT type, id, version, last_updated, operation, actor, body FROM shared_resources
        WHERE type = $1 AND id = $2
        """,
        [.text(record.type), .text(record.id)])
    }
  }

  /// Removes a current resource and stores its deletion as a version.
  func remove(
    _ current: StoredRecord, by deletion: StoredRecord, _ authorization: Authorization,
    in writer: any SQLWriter
  ) throws(RecordsError) {
    try storing { () throws(StorageError) in
      let row = SharedDeletionRow(record: deletion, actor: authorization.actor.accountID)
      try writer.execute(Self.insertDeletionStatement, row.values)
      try writer.execute(
        "DELETE FROM shared_resources WHERE type = $1 AND id = $2",
        [.text(deletion.type), .text(deletion.id)])
      try RecordIndex.remove(current.indexRows, of: deletion.indexed, in: writer)
    }
  }

  private static let insertDeletionStatement = SQLStatement(
    """
    INSERT INTO shared_resource_versions (\(SharedDeletionRow.columns))
    VALUES (\(SharedDeletionRow.placeholders))
    """)
}

/// A new row of `shared_resources`.
struct NewSharedResourceRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case type, id, version, lastUpdated, status, operation, actor, body
  }

  static let columns = SQLColumns<Column>()

  let record: StoredRecord
  let status: String?
  let actor: AccountID

  func value(of column: Column) -> SQLValue {
    switch column {
    case .type: .text(record.type)
    case .id: .text(record.id)
    case .version: .integer(record.version)
    case .lastUpdated: SQLValue(record.lastUpdated)
    case .status: SQLValue(status)
    case .operation: .text(record.operation.rawValue)
    case .actor: .text(actor)
    case .body: .text(record.body)
    }
  }
}

/// A row of `shared_resource_versions` without a text: the resource was deleted.
struct SharedDeletionRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case type, id, version, lastUpdated, operation, actor
  }

  static let columns = SQLColumns<Column>()

  let record: StoredRecord
  let actor: AccountID

  func value(of column: Column) -> SQLValue {
    switch column {
    case .type: .text(record.type)
    case .id: .text(record.id)
    case .version: .integer(record.version)
    case .lastUpdated: SQLValue(record.lastUpdated)
    case .operation: .text(record.operation.rawValue)
    case .actor: .text(actor)
    }
  }
}
