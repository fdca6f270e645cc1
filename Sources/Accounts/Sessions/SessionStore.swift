// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A new row of `sessions`.
struct NewSessionRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case digest, account, created, expires, kind, device, seen, proved, proof
  }

  static let columns = SQLColumns<Column>()

  let digest: [UInt8]
  let account: AccountID
  let start: SessionStart
  let created: Timestamp
  let expires: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .digest: .blob(digest)
    case .account: .text(account)
    case .created, .seen, .proved: SQLValue(created)
    case .expires: SQLValue(expires)
    case .kind: .text(start.kind.rawValue)
    case .device: .text(start.device)
    case .proof: .text(start.proof.rawValue)
    }
  }
}

/// The statements that change the table `sessions`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum SessionStore {
  static func insert(_ row: NewSessionRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    "INSERT INTO sessions (\(NewSessionRow.columns)) VALUES (\(NewSessionRow.placeholders))")

  /// Records a proof and gives the session a new secret; returns false if there is none with the old one.
  static func prove(
    _ old: [UInt8], as new: [UInt8], by proof: ProofKind, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "UPDATE sessions SET digest = $1, proved = $2, proof = $3, seen = $2 WHERE digest = $4",
      [.blob(new), SQLValue(now), .text(proof.rawValue), .blob(old)]) == 1
  }

  static func touch(
    _ digest: [UInt8], at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE sessions SET seen = $1 WHERE digest = $2 AND seen < $1",
      [SQLValue(now), .blob(digest)])
  }

  /// Deletes a session; returns false if there is none.
  static func delete(
    _ digest: [UInt8], in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute("DELETE FROM sessions WHERE digest = $1", [.blob(digest)]) > 0
  }

  /// Deletes a session of an account; returns false if there is none.
  static func delete(
    _ digest: [UInt8], of account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "DELETE FROM sessions WHERE digest = $1 AND account = $2", [.blob(digest), .text(account)])
      > 0
  }

  static func delete(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM sessions WHERE account = $1", [.text(account)])
  }

  /// Deletes every session of an account except one.
  static func delete(
    of account: AccountID, besides kept: [UInt8], in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM sessions WHERE account = $1 AND digest <> $2", [.text(account), .blob(kept)])
  }

  /// Deletes the sessions that ended, or reached their idle limit, before an instant, and returns their
  /// number.
  static func delete(
    endedBefore instant: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    let unused = instant.adding(milliseconds: -SessionLimits.longestIdle)
    return try writer.execute("DELETE FROM sessions WHERE seen < $1", [SQLValue(unused)])
      + writer.execute("DELETE FROM sessions WHERE expires < $1", [SQLValue(instant)])
  }
}
