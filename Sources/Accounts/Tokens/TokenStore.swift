// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A new row of `tokens`.
struct NewTokenRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case digest, account, scope, created, expires, prefix, label }

  static let columns = SQLColumns<Column>()

  let digest: [UInt8]
  let account: AccountID
  let scope: String
  let created: Timestamp
  let expires: Timestamp?
  let prefix: String
  let label: String

  func value(of column: Column) -> SQLValue {
    switch column {
    case .digest: .blob(digest)
    case .account: .text(account)
    case .scope: .text(scope)
    case .created: SQLValue(created)
    case .expires: SQLValue(expires)
    case .prefix: .text(prefix)
    case .label: .text(label)
    }
  }
}

/// The statements that change the table `tokens`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum TokenStore {
  static func insert(_ row: NewTokenRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    "INSERT INTO tokens (\(NewTokenRow.columns)) VALUES (\(NewTokenRow.placeholders))")

  static func set(
    expires: Timestamp, of digest: [UInt8], account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE tokens SET expires = $1 WHERE digest = $2 AND account = $3",
      [SQLValue(expires), .blob(digest), .text(account)])
  }

  static func touch(
    _ digest: [UInt8], at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE tokens SET used = $1 WHERE digest = $2 AND (used IS NULL OR used < $1)",
      [SQLValue(now), .blob(digest)])
  }

  /// Deletes a token of an account; returns false if there is none.
  static func delete(
    _ digest: [UInt8], of account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "DELETE FROM tokens WHERE digest = $1 AND account = $2", [.blob(digest), .text(account)]) > 0
  }

  static func delete(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM tokens WHERE account = $1", [.text(account)])
  }

  /// Deletes tokens and returns their number.
  static func delete(
    endedBefore instant: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try writer.execute("DELETE FROM tokens WHERE expires < $1", [SQLValue(instant)])
  }
}
