// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The statements that change the table `pending_sign_ins`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum PendingSignInStore {
  static func insert(
    _ digest: [UInt8], for account: AccountID, kind: SessionKind, at now: Timestamp,
    expires: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO pending_sign_ins (digest, account, kind, created, expires)
      VALUES ($1, $2, $3, $4, $5)
      """,
      [
        .blob(digest), .text(account), .text(kind.rawValue), SQLValue(now), SQLValue(expires),
      ])
  }

  static func delete(_ digest: [UInt8], in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM pending_sign_ins WHERE digest = $1", [.blob(digest)])
  }

  static func delete(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM pending_sign_ins WHERE account = $1", [.text(account)])
  }

  /// Deletes the sign-ins whose time for the second step has passed.
  static func delete(
    expiredAt now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM pending_sign_ins WHERE expires <= $1", [SQLValue(now)])
  }

  static func delete(
    endedBefore instant: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM pending_sign_ins WHERE expires < $1", [SQLValue(instant)])
  }
}
