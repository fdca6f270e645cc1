// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Storage

/// The statements that change the table `accounts`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
extension AccountStore {
  static func insert(_ row: NewAccountRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    "INSERT INTO accounts (\(NewAccountRow.columns)) VALUES (\(NewAccountRow.placeholders))")

  /// Deletes an account; foreign keys delete its credentials, grants, devices and choices.
  static func delete(_ account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM accounts WHERE account = $1", [.text(account)])
  }

  static func set(
    displayName: String, language: Language?, of account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE accounts SET display_name = $1, language = $2, changed = $3 WHERE account = $4",
      [.text(displayName), SQLValue(language?.rawValue), SQLValue(now), .text(account)])
  }

  static func set(
    passwordHash: PasswordHash, isShort: Bool, of account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE accounts SET password_hash = $1, short_password = $2, changed = $3 WHERE account = $4",
      [.text(passwordHash.stored), SQLValue(isShort), SQLValue(now), .text(account)])
  }

  /// Replaces the stored form of a password unless it was changed in the meantime.
  static func replace(
    passwordHash old: PasswordHash, by new: PasswordHash, of account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE accounts SET password_hash = $1, changed = $2 WHERE account = $3 AND password_hash = $4",
      [.text(new.stored), SQLValue(now), .text(account), .text(old.stored)])
  }

  /// Replaces the address or number.
  ///
  /// - Parameter proved: the time at which the owner proved that they read the address; nil without proof.
  static func set(
    emailSealed: [UInt8], emailIndex: [UInt8], isByPhone: Bool, proved: Timestamp?,
    of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE accounts SET email_sealed = $1, email_index = $2, by_phone = $3, address_proved = $4,
        changed = $5 WHERE account = $6
      """,
      [
        .blob(emailSealed), .blob(emailIndex), SQLValue(isByPhone), SQLValue(proved),
        SQLValue(now), .text(account),
      ])
  }

  /// Makes every known device of an account unknown.
  static func endKnownDevices(
    of account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE accounts SET device_epoch = device_epoch + 1 WHERE account = $1", [.text(account)])
  }
}
