// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The statements that change the table `emergencies`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum EmergencyStore {
  static func insert(_ access: EmergencyAccess, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO emergencies (patient, emergency, account, by_name, reason, started, ends, reviewed,
        reviewed_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, NULL)
      """,
      [
        .text(access.patient), .text(access.id), .text(access.account), .text(access.byName),
        .text(access.reason), SQLValue(access.started), SQLValue(access.ends),
      ])
  }

  static func end(
    _ access: EmergencyAccess, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE emergencies SET ends = $1 WHERE patient = $2 AND emergency = $3",
      [SQLValue(now), .text(access.patient), .text(access.id)])
  }

  /// Ends the emergency access that an account has open.
  static func end(
    by account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE emergencies SET ends = $1 WHERE account = $2 AND ends > $1",
      [SQLValue(now), .text(account)])
  }

  /// Ends all emergency access of an account, because the account is erased.
  static func end(by account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("UPDATE emergencies SET ends = 0 WHERE account = $1", [.text(account)])
  }

  /// Marks an emergency access as reviewed; returns false if it already was.
  static func review(
    _ access: EmergencyAccess, by account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE emergencies SET reviewed = $1, reviewed_by = $2
      WHERE patient = $3 AND emergency = $4 AND reviewed IS NULL
      """, [SQLValue(now), .text(account), .text(access.patient), .text(access.id)]) > 0
  }
}
