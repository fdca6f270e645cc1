// SPDX-License-Identifier: Apache-2.0

import Encodings
import Identifiers
import Storage

/// The columns of `device_sign_ins` that make a ``DeviceSignIn``.
struct DeviceSignInRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case digest, account, state, device, number }

  static let columns = SQLColumns<Column>()

  let sign: DeviceSignIn

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    sign = DeviceSignIn(
      id: Hexadecimal.encode(try columns.blob(.digest)), account: try columns.id(.account),
      state: DeviceSignIn.State(rawValue: try columns.text(.state)) ?? .declined,
      device: try columns.text(.device), number: Int(clamping: try columns.integer(.number)))
  }
}

/// The statements that change the table `device_sign_ins`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum DeviceSignInStore {
  static func insert(
    _ digest: [UInt8], for account: AccountID, secretSealed: [UInt8], number: Int,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO device_sign_ins (digest, account, secret_sealed, claim_digest, device, number,
        state, created, expires)
      VALUES ($1, $2, $3, NULL, '', $4, 'open', $5, $6)
      """,
      [
        .blob(digest), .text(account), .blob(secretSealed), SQLValue(number), SQLValue(now),
        SQLValue(now.adding(milliseconds: DeviceSignIn.lifetime)),
      ])
  }

  /// Assigns an open sign-in to the device that asks first; returns false if it is no longer open.
  static func claim(
    _ digest: [UInt8], as claim: [UInt8], device: String, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE device_sign_ins SET state = 'claimed', claim_digest = $1, device = $2
      WHERE digest = $3 AND state = 'open' AND expires > $4
      """, [.blob(claim), .text(device), .blob(digest), SQLValue(now)]) == 1
  }

  /// Answers a claimed sign-in; returns false if the account has none.
  static func decide(
    _ digest: [UInt8], of account: AccountID, _ state: DeviceSignIn.State, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE device_sign_ins SET state = $1
      WHERE digest = $2 AND account = $3 AND state = 'claimed' AND expires > $4
      """, [.text(state.rawValue), .blob(digest), .text(account), SQLValue(now)]) == 1
  }

  /// Uses up a confirmed sign-in; returns false if it was used before.
  static func use(claim: [UInt8], in writer: any SQLWriter) throws(StorageError) -> Bool {
    try writer.execute(
      "UPDATE device_sign_ins SET state = 'used' WHERE claim_digest = $1 AND state = 'confirmed'",
      [.blob(claim)]) == 1
  }

  static func delete(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM device_sign_ins WHERE account = $1", [.text(account)])
  }

  static func delete(
    endedBefore instant: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM device_sign_ins WHERE expires < $1", [SQLValue(instant)])
  }
}
