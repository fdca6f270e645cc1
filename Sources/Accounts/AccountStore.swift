// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Localization
import Storage

/// Accounts in the database: functions over a reader or writer, so that a command can make an
/// account and its patient in one transaction.
package struct AccountStore: Sendable {
  /// Seals fields of other tables that belong to accounts, such as the keys of their devices.
  package let cipher: FieldCipher

  package init(cipher: FieldCipher) {
    self.cipher = cipher
  }

  private static let emailContext = "accounts:email"

  /// Whether anybody can sign in yet; while not, the first visit makes the first account.
  package func isEmpty(in reader: any SQLReader) throws -> Bool {
    try reader.first("SELECT 1 FROM accounts LIMIT 1", []) == nil
  }

  /// Makes an account with its own patient granted to it; the caller makes the patient before.
  package func create(
    _ account: Account, passwordHash: PasswordHash?, at now: Timestamp, by actor: AccountID,
    in writer: any SQLWriter
  ) throws {
    let name = try SignInName(account.email)
    let index = nameIndex(name)
    guard
      try writer.first("SELECT 1 FROM accounts WHERE email_index = $1", [.blob(index)]) == nil
    else { throw AccountError.emailTaken }
    let sealed = try seal(name, of: account.id)
    try writer.execute(
      """
      INSERT INTO accounts (account, email_sealed, email_index, display_name, patient,
        password_hash, administrator, language, created, changed, by_phone)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      """,
      [
        SQLValue(account.id), .blob(sealed), .blob(index), SQLValue(account.displayName),
        SQLValue(account.patient), SQLValue(passwordHash?.stored),
        SQLValue(account.isAdministrator),
        SQLValue(account.language?.rawValue), SQLValue(now), SQLValue(now),
        SQLValue(name.isPhone),
      ])
    // From the beginning of time: a clock that is stepped back must not hide one's own medicines.
    try grant(
      .self_, of: account.patient, to: account.id, from: Timestamp(milliseconds: 0), in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: actor, kind: .create, patient: nil, resource: "Account",
        resourceID: account.id.text, version: nil, purpose: Purpose.administration.rawValue,
        outcome: .success))
  }

  /// The account with an id.
  package func account(_ id: AccountID, in reader: any SQLReader) throws -> Account? {
    let row = try reader.first(
      """
      SELECT account, email_sealed, display_name, patient, administrator, language
      FROM accounts WHERE account = $1
      """, [SQLValue(id)])
    return try row.map(account(from:))
  }

  /// The account with an address or number, found by its blind index.
  package func account(
    named name: SignInName, in reader: any SQLReader
  ) throws -> (account: Account, passwordHash: PasswordHash?)? {
    let index = nameIndex(name)
    let row = try reader.first(
      """
      SELECT account, email_sealed, display_name, patient, administrator, language, password_hash
      FROM accounts WHERE email_index = $1
      """, [.blob(index)])
    guard let row else { return nil }
    let hash = try row.optionalText(6).flatMap(PasswordHash.init(stored:))
    return (try account(from: row), hash)
  }

  /// The accounts of those who run the installation.
  package func administrators(in reader: any SQLReader) throws -> [Account] {
    try reader.query(
      """
      SELECT account, email_sealed, display_name, patient, administrator, language
      FROM accounts WHERE administrator = 1 ORDER BY account
      """
    ).map(account(from:))
  }

  func nameIndex(_ name: SignInName) -> [UInt8] {
    cipher.blindIndex(name.folded, context: Self.emailContext)
  }

  func seal(_ name: SignInName, of account: AccountID) throws(StorageError) -> [UInt8] {
    try cipher.seal(name.text, context: "\(Self.emailContext):\(account)")
  }

  /// Opens the stored address or number of an account.
  package func email(sealed: [UInt8], of account: AccountID) throws(StorageError) -> String {
    try cipher.open(sealed, context: "\(Self.emailContext):\(account)")
  }

  /// An account in the first six columns of a row.
  func account(from row: SQLRow) throws -> Account {
    let id: AccountID = try row.id(0)
    return Account(
      id: id,
      email: try email(sealed: try row.blob(1), of: id),
      displayName: try row.text(2), patient: try row.id(3), isAdministrator: try row.bool(4),
      language: try row.optionalText(5).flatMap(Language.init(rawValue:)))
  }

  /// Changes the name that others see and the language of the account's pages.
  package func change(
    displayName: String, language: Language?, of account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    try writer.execute(
      "UPDATE accounts SET display_name = $1, language = $2, changed = $3 WHERE account = $4",
      [
        SQLValue(displayName), SQLValue(language?.rawValue), SQLValue(now), SQLValue(account),
      ])
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: nil, resource: "AccountSettings",
        resourceID: account.text, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }

  /// Replaces the password, ends every session and uses up every invitation: whoever knew the old
  /// password or holds an older link is out.
  ///
  /// What was made under an earlier password ends as well: tokens, addresses of calendars, widgets and reports, and a
  /// change of the account's address that waits for its proof.
  package func setPassword(
    _ hash: PasswordHash, isShort: Bool = false, of account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let openedByEarlier: [StaticString] = [
      """
      DELETE FROM tokens WHERE account = $1 AND EXISTS (
        SELECT 1 FROM accounts WHERE account = $1 AND password_hash IS NOT NULL)
      """,
      """
      DELETE FROM calendar_feeds WHERE account = $1 AND EXISTS (
        SELECT 1 FROM accounts WHERE account = $1 AND password_hash IS NOT NULL)
      """,
      """
      DELETE FROM heart_glances WHERE account = $1 AND EXISTS (
        SELECT 1 FROM accounts WHERE account = $1 AND password_hash IS NOT NULL)
      """,
      """
      DELETE FROM report_links WHERE account = $1 AND EXISTS (
        SELECT 1 FROM accounts WHERE account = $1 AND password_hash IS NOT NULL)
      """,
    ]
    for statement in openedByEarlier { try writer.execute(statement, [SQLValue(account)]) }
    try forgetAddressProofs(of: account, in: writer)
    try endKnownDevices(of: account, in: writer)
    try writer.execute(
      "UPDATE accounts SET password_hash = $1, short_password = $2, changed = $3 WHERE account = $4",
      [.text(hash.stored), SQLValue(isShort), SQLValue(now), .text(account)])
    try writer.execute("DELETE FROM sessions WHERE account = $1", [SQLValue(account)])
    try writer.execute("DELETE FROM pending_sign_ins WHERE account = $1", [SQLValue(account)])
    try writer.execute(
      "UPDATE invitations SET used = $1 WHERE account = $2 AND used IS NULL",
      [SQLValue(now), SQLValue(account)])
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: nil, resource: "Account",
        resourceID: account.text, version: nil, purpose: Purpose.administration.rawValue,
        outcome: .success))
  }

  /// Whether the password is only long enough beside a second factor.
  package func hasShortPassword(
    _ account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      "SELECT 1 FROM accounts WHERE account = $1 AND short_password = 1", [.text(account)]) != nil
  }

  /// Keeps the same password at another cost; nobody is signed out by it.
  func replace(
    _ old: PasswordHash, by new: PasswordHash, of account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE accounts SET password_hash = $1, changed = $2 WHERE account = $3 AND password_hash = $4",
      [.text(new.stored), SQLValue(now), .text(account), .text(old.stored)])
  }
}
