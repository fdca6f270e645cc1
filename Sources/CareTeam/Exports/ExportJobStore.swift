// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// A bulk export as it is stored.
package struct StoredExport: Sendable, Hashable {
  /// The states of an export.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// It has not begun, or must be made again.
    case waiting
    case running, done, failed
  }

  /// The identifier, which is part of the names of its files.
  package let id: String
  /// The account that began it.
  package let account: AccountID
  /// The state.
  package var state: State
  /// The code of the reason why it failed; nil otherwise.
  package var trouble: String?
  /// The time of the request.
  package let created: Timestamp
  /// The number of resources that are written so far.
  package var written: Int64
  /// The number of the latest attempt, by which late results are told apart.
  package var attempt: Int64
  /// The request, the access of its sender, the key of its files, and the files, as JSON.
  package var content: String

  /// Creates an export that waits.
  package init(id: String, account: AccountID, created: Timestamp, content: String) {
    self.id = id
    self.account = account
    state = .waiting
    self.created = created
    written = 0
    attempt = 0
    self.content = content
  }
}

/// The table `export_jobs`: every statement that changes it.
///
/// `Scripts/check-tables.py` rejects such statements elsewhere.
package struct ExportJobStore: Sendable {
  /// The lifetime of an export from its request, in milliseconds: 24 hours.
  package static let lifetime: Int64 = 24 * 3_600_000
  /// The time after which another server takes over an export whose progress stopped, in milliseconds.
  package static let lease: Int64 = 120_000
  /// The most attempts: an export that stops the server must not do so for ever.
  package static let mostAttempts: Int64 = 5
  /// The most exports of an account, including finished ones.
  package static let mostOfAccount = 5
  private static let most = 50

  private let cipher: FieldCipher

  /// Creates a store with the accounts whose key encrypts the contents.
  package init(accounts: AccountStore) {
    cipher = accounts.cipher
  }

  // MARK: Reading

  /// Returns an export that has not expired; nil if there is none.
  package func find(
    _ id: String, at now: Timestamp, in reader: any SQLReader
  ) throws -> StoredExport? {
    let oldest = now.adding(milliseconds: -Self.lifetime)
    return try reader.first(Self.oneStatement, [.text(id), SQLValue(oldest)])
      .map { try open($0.decode()) }
  }

  private static let oneStatement = SQLStatement(
    "SELECT \(ExportJobRow.columns) FROM export_jobs WHERE job = $1 AND created > $2")

  /// Returns all exports, the oldest first.
  package func all(in reader: any SQLReader) throws -> [StoredExport] {
    try reader.query(Self.allStatement, []).decode(as: ExportJobRow.self).map(open)
  }

  private static let allStatement = SQLStatement(
    "SELECT \(ExportJobRow.columns) FROM export_jobs ORDER BY created, job")

  private func open(_ row: ExportJobRow) throws -> StoredExport {
    var export = row.export
    export.content = try cipher.open(row.contentSealed, context: Self.context(export.id))
    return export
  }

  private func sealed(_ export: StoredExport) throws -> [UInt8] {
    try cipher.seal(export.content, context: Self.context(export.id))
  }

  private static func context(_ id: String) -> String { "export_jobs:\(id):content" }

  // MARK: Requests

  /// Adds an export, for which the oldest finished one of a busy account makes room.
  ///
  /// - Returns: The exports that were deleted for it, whose files must be removed; nil if there are too many.
  package func add(
    _ export: StoredExport, in writer: any SQLWriter
  ) throws -> [StoredExport]? {
    let all = try all(in: writer)
    let own = all.filter { $0.account == export.account }
    var deleted: [StoredExport] = []
    if own.count >= Self.mostOfAccount {
      guard let oldest = own.first(where: { $0.state == .done || $0.state == .failed }) else {
        return nil
      }
      _ = try delete(oldest.id, in: writer)
      deleted.append(oldest)
    } else if all.count >= Self.most {
      return nil
    }
    let row = ExportJobRow(export, contentSealed: try sealed(export))
    try writer.execute(Self.insertStatement, row.values)
    return deleted
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO export_jobs (\(ExportJobRow.columns)) VALUES (\(ExportJobRow.placeholders))
    """)

  /// Deletes an export; returns false if there is none.
  package func delete(_ id: String, in writer: any SQLWriter) throws(StorageError) -> Bool {
    try writer.execute("DELETE FROM export_jobs WHERE job = $1", [.text(id)]) > 0
  }

  /// Deletes the exports whose time is over, and returns them, because their files must be removed.
  package func deleteExpired(
    at now: Timestamp, in writer: any SQLWriter
  ) throws -> [StoredExport] {
    let oldest = now.adding(milliseconds: -Self.lifetime)
    let expired = try all(in: writer).filter { $0.created <= oldest }
    for export in expired { _ = try delete(export.id, in: writer) }
    return expired
  }

  // MARK: Running

  /// Returns true if an export must be made or deleted.
  package static func isAnythingDue(
    at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      """
      SELECT 1 FROM export_jobs WHERE state = 'waiting' OR created <= $1
        OR (state = 'running' AND leased_until <= $2) LIMIT 1
      """, [SQLValue(now.adding(milliseconds: -lifetime)), SQLValue(now)]) != nil
  }

  /// Leases the oldest export that waits, or whose server has stopped; nil if there is none.
  ///
  /// One that was begun too often fails.
  package func claim(at now: Timestamp, in writer: any SQLWriter) throws -> StoredExport? {
    try writer.execute(
      """
      UPDATE export_jobs SET state = 'failed', trouble = 'error', leased_until = NULL
      WHERE state <> 'done' AND state <> 'failed' AND attempt >= $1
        AND (leased_until IS NULL OR leased_until <= $2)
      """, [.integer(Self.mostAttempts), SQLValue(now)])
    let row = try writer.first(Self.dueStatement, [SQLValue(now)])
    guard let row else { return nil }
    var export = try open(row.decode())
    export.state = .running
    export.written = 0
    export.attempt += 1
    try writer.execute(
      """
      UPDATE export_jobs SET state = 'running', written = 0, attempt = $1, leased_until = $2
      WHERE job = $3
      """,
      [
        .integer(export.attempt), SQLValue(now.adding(milliseconds: Self.lease)),
        .text(export.id),
      ])
    return export
  }

  private static let dueStatement = SQLStatement(
    """
    SELECT \(ExportJobRow.columns) FROM export_jobs
    WHERE state = 'waiting' OR (state = 'running' AND leased_until <= $1)
    ORDER BY created, job LIMIT 1 /*postgresql FOR UPDATE SKIP LOCKED */
    """)

  /// Records the progress of an attempt; returns false if the export was removed, or another attempt has taken
  /// over.
  package func proceed(
    _ export: StoredExport, written: Int64, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE export_jobs SET written = $1, leased_until = $2
      WHERE job = $3 AND attempt = $4 AND state = 'running'
      """,
      [
        .integer(written), SQLValue(now.adding(milliseconds: Self.lease)), .text(export.id),
        .integer(export.attempt),
      ]) == 1
  }

  /// Ends an attempt with the state and the content that the export has now; returns false if it no longer counts.
  package func finish(_ export: StoredExport, in writer: any SQLWriter) throws -> Bool {
    try writer.execute(
      """
      UPDATE export_jobs SET state = $1, trouble = $2, written = $3, content_sealed = $4,
        leased_until = NULL
      WHERE job = $5 AND attempt = $6 AND state = 'running'
      """,
      [
        .text(export.state.rawValue), SQLValue(export.trouble), .integer(export.written),
        .blob(try sealed(export)), .text(export.id), .integer(export.attempt),
      ]) == 1
  }

  /// Lets exports be made again that an earlier run of the only server did not finish.
  package func reclaim(in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "UPDATE export_jobs SET state = 'waiting', leased_until = NULL WHERE state = 'running'", [])
  }

  /// Lets a finished export be made again, because its files are gone.
  package func again(_ id: String, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "UPDATE export_jobs SET state = 'waiting', written = 0 WHERE job = $1 AND state = 'done'",
      [.text(id)])
  }
}

/// A row of `export_jobs`.
struct ExportJobRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn {
    case job, account, state, trouble, created, written, contentSealed, leasedUntil, attempt
  }

  static let columns = SQLColumns<Column>()

  /// The export; its content is empty, because the row has it encrypted.
  let export: StoredExport
  let contentSealed: [UInt8]

  init(_ export: StoredExport, contentSealed: [UInt8]) {
    self.export = export
    self.contentSealed = contentSealed
  }

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    var export = StoredExport(
      id: try row.text(.job), account: try row.id(.account), created: try row.timestamp(.created),
      content: "")
    export.state = try row.named(.state)
    export.trouble = try row.optionalText(.trouble)
    export.written = try row.integer(.written)
    export.attempt = try row.integer(.attempt)
    self.export = export
    contentSealed = try row.blob(.contentSealed)
  }

  func value(of column: Column) -> SQLValue {
    switch column {
    case .job: .text(export.id)
    case .account: .text(export.account)
    case .state: .text(export.state.rawValue)
    case .trouble: SQLValue(export.trouble)
    case .created: SQLValue(export.created)
    case .written: .integer(export.written)
    case .contentSealed: .blob(contentSealed)
    case .leasedUntil: .null
    case .attempt: .integer(export.attempt)
    }
  }
}
