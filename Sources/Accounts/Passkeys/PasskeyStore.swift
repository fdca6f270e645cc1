// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A new row of `passkeys`.
struct NewPasskeyRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case credentialDigest, passkey, account, credential, publicKey, algorithm, relyingParty, signs
    case name, created
  }

  static let columns = SQLColumns<Column>()

  let credentialDigest: [UInt8]
  let passkey: PasskeyID
  let account: AccountID
  let credential: [UInt8]
  let key: PasskeyKey
  let relyingParty: String
  let signs: UInt32
  let name: String
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .credentialDigest: .blob(credentialDigest)
    case .passkey: .text(passkey)
    case .account: .text(account)
    case .credential: .blob(credential)
    case .publicKey: .blob(key.bytes)
    case .algorithm: .integer(key.algorithm.rawValue)
    case .relyingParty: .text(relyingParty)
    case .signs: .integer(Int64(signs))
    case .name: .text(name)
    case .created: SQLValue(created)
    }
  }
}

/// The statements that change the tables `passkeys` and `used_challenges`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
enum PasskeyStore {
  static func insert(_ row: NewPasskeyRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    "INSERT INTO passkeys (\(NewPasskeyRow.columns)) VALUES (\(NewPasskeyRow.placeholders))")

  /// Records that a passkey signed, with its authenticator's counter.
  static func use(
    _ credentialDigest: [UInt8], signs: UInt32, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE passkeys SET signs = $1, used = $2 WHERE credential_digest = $3",
      [.integer(Int64(signs)), SQLValue(now), .blob(credentialDigest)])
  }

  /// Renames a passkey; returns false if the account has no such passkey.
  static func rename(
    _ passkey: PasskeyID, to name: String, of account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "UPDATE passkeys SET name = $1 WHERE account = $2 AND passkey = $3",
      [.text(name), .text(account), .text(passkey)]) == 1
  }

  /// Deletes a passkey; returns false if the account has no such passkey.
  static func delete(
    _ passkey: PasskeyID, of account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "DELETE FROM passkeys WHERE account = $1 AND passkey = $2",
      [.text(account), .text(passkey)]) == 1
  }

  static func delete(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM passkeys WHERE account = $1", [.text(account)])
  }

  // MARK: Challenges

  /// Uses up a challenge; returns false if it was used before.
  static func use(
    challenge digest: [UInt8], until end: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "INSERT INTO used_challenges (digest, expires) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING",
      [.blob(digest), SQLValue(end)]) == 1
  }

  static func deleteChallenges(
    endedBefore instant: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM used_challenges WHERE expires < $1", [SQLValue(instant)])
  }
}
