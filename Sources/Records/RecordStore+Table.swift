// SPDX-License-Identifier: Apache-2.0
import Access
import Identifiers
import Storage

/// The columns of `resources` and `resource_versions` that make a record.
extension StoredRecord: SQLReadableRow {
  /// The columns of both tables that make a record.
  package enum Column: Int, SQLColumn {
    case type, id, patient, version, lastUpdated, operation, body
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a record from a row; the body of a deletion is empty.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    self.init(
      type: try columns.text(.type), id: try columns.text(.id),
      patient: try columns.id(.patient), version: try columns.integer(.version),
      lastUpdated: try columns.timestamp(.lastUpdated), operation: try columns.named(.operation),
      body: try columns.optionalText(.body) ?? "")
  }
}

/// The statements that change the tables `resources` and `resource_versions`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
extension RecordStore {
  /// Makes a record current that was not, with its audit entry.
  func insert(
    _ record: StoredRecord, _ content: RecordContent, _ authorization: Authorization,
    in writer: any SQLWriter
  ) throws(RecordsError) {
    try storing { () throws(StorageError) in
      let row = NewResourceRow(
        record: record, status: content.status, actor: authorization.actor.accountID)
      try writer.execute(Self.insertStatement, row.values)
      try RecordIndex.write(content.rows, for: record.indexed, in: writer)
    }
    audit(record, record.operation == .create ? .create : .update, authorization, in: writer)
  }

  private static let insertStatement = SQLStatement(
    "INSERT INTO resources (\(NewResourceRow.columns)) VALUES (\(NewResourceRow.placeholders))")

  /// Makes a record current in place of its last version; returns false if that has changed meanwhile.
  func replace(
    _ current: StoredRecord, by record: StoredRecord, _ content: RecordContent,
    _ authorization: Authorization, in writer: any SQLWriter
  ) throws(RecordsError) -> Bool {
    let old = current.indexRows
    return try storing { () throws(StorageError) -> Bool in
      let replaced = try writer.execute(
        """
        UPDATE resources SET version = $1, last_updated = $2, status = $3, operation = $4,
          actor = $5, body = $6
        WHERE type = $7 AND patient = $8 AND id = $9 AND version = $10
        """,
        [
          .integer(record.version), SQLValue(record.lastUpdated), SQLValue(content.status),
          .text(record.operation.rawValue), .text(authorization.actor.accountID),
          .text(record.body), .text(record.type), .text(record.patient), .text(record.id),
          .integer(current.version),
        ])
      guard replaced == 1 else { return false }
      try RecordIndex.change(old, to: content.rows, for: record.indexed, in: writer)
      return true
    }
  }

  /// Copies the current version to the older versions before the record replaces it.
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

  /// Removes a current record and stores its deletion as a version.
  func remove(
    _ current: StoredRecord, by deletion: StoredRecord, _ authorization: Authorization,
    in writer: any SQLWriter
  ) throws(RecordsError) {
    let old = current.indexRows
    try storing { () throws(StorageError) in
      let row = RecordDeletionRow(record: deletion, actor: authorization.actor.accountID)
      try writer.execute(Self.insertDeletionStatement, row.values)
      try writer.execute(
        "DELETE FROM resources WHERE type = $1 AND patient = $2 AND id = $3",
        [.text(deletion.type), .text(deletion.patient), .text(deletion.id)])
      try RecordIndex.remove(old, of: deletion.indexed, in: writer)
    }
  }

  private static let insertDeletionStatement = SQLStatement(
    """
    INSERT INTO resource_versions (\(RecordDeletionRow.columns)) VALUES (\(RecordDeletionRow.placeholders))
    """)
}

/// A new row of `resources`.
struct NewResourceRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case type, patient, id, version, lastUpdated, status, operation, actor, body
  }

  static let columns = SQLColumns<Column>()

  let record: StoredRecord
  let status: String?
  let actor: AccountID

  func value(of column: Column) -> SQLValue {
    switch column {
    case .type: .text(record.type)
    case .patient: .text(record.patient)
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

/// A row of `resource_versions` without a text: the record was deleted.
struct RecordDeletionRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case type, patient, id, version, lastUpdated, operation, actor
  }

  static let columns = SQLColumns<Column>()

  let record: StoredRecord
  let actor: AccountID

  func value(of column: Column) -> SQLValue {
    switch column {
    case .type: .text(record.type)
    case .patient: .text(record.patient)
    case .id: .text(record.id)
    case .version: .integer(record.version)
    case .lastUpdated: SQLValue(record.lastUpdated)
    case .operation: .text(record.operation.rawValue)
    case .actor: .text(actor)
    }
  }
}
