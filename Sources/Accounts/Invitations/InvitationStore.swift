// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The statements that change the table `invitations`: the links with which an account's owner chooses a password.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum InvitationStore {
  static func insert(
    _ digest: [UInt8], for account: AccountID, at now: Timestamp, expires: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "INSERT INTO invitations (digest, account, created, expires, used) VALUES ($1, $2, $3, $4, NULL)",
      [.blob(digest), .text(account), SQLValue(now), SQLValue(expires)])
  }

  static func useUp(
    _ digest: [UInt8], at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE invitations SET used = $1 WHERE digest = $2", [SQLValue(now), .blob(digest)])
  }

  /// Uses up every unused link of an account.
  static func useUp(
    of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE invitations SET used = $1 WHERE account = $2 AND used IS NULL",
      [SQLValue(now), .text(account)])
  }

  /// Deletes links that expired or were used before an instant, and returns their number.
  static func delete(
    endedBefore instant: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try writer.execute(
      "DELETE FROM invitations WHERE expires < $1 OR used < $1", [SQLValue(instant)])
  }
}
