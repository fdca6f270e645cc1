// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Localization
import Storage

/// Accounts in the database: functions over a reader or writer, so that a command can create an account and
/// its patient in one transaction.
package struct AccountStore: Sendable {
  /// Encrypts fields of other tables that belong to accounts, such as the keys of their devices.
  package let cipher: FieldCipher
  /// The changes in tables of higher modules that follow a change of an account.
  let consequences: [any AccountConsequence]

  /// Creates a store.
  ///
  /// - Parameter consequences: those of every higher module that may have data of the accounts.
  package init(cipher: FieldCipher, consequences: [any AccountConsequence]) {
    self.cipher = cipher
    self.consequences = consequences
  }

  private static let emailContext = "accounts:email"

  /// Returns true while there is no account; the first visit then creates the first one.
  package func isEmpty(in reader: any SQLReader) throws -> Bool {
    try reader.first("SELECT 1 FROM accounts LIMIT 1", []) == nil
  }

  /// Adds an account with a grant on its own patient, whom the caller has added before.
  ///
  /// Throws ``AccountError/emailTaken`` if another account has the address.
  package func create(
    _ account: Account, passwordHash: PasswordHash?, at now: Timestamp, by actor: AccountID,
    in writer: any SQLWriter
  ) throws {
    let name = try SignInName(new: account.email)
    let index = nameIndex(name)
    guard
      try writer.first("SELECT 1 FROM accounts WHERE email_index = $1", [.blob(index)]) == nil
    else { throw AccountError.emailTaken }
    let sealed = try seal(name, of: account.id)
    try Self.insert(
      NewAccountRow(
        account: account, emailSealed: sealed, emailIndex: index, isByPhone: name.isPhone,
        passwordHash: passwordHash, created: now), in: writer)
    // Valid from the beginning of time, so that setting the clock back never hides a person's own medicines.
    try grant(
      .self_, of: account.patient, to: account.id, from: Timestamp(milliseconds: 0), in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: actor, kind: .create, patient: nil, resource: "Account",
        resourceID: account.id.text, version: nil, purpose: Purpose.administration.rawValue,
        outcome: .success))
  }

  /// Returns the account with an id; nil if there is none.
  package func account(_ id: AccountID, in reader: any SQLReader) throws -> Account? {
    guard let row = try reader.first(Self.byIDStatement, [SQLValue(id)]) else { return nil }
    return try account(from: row.decode())
  }

  private static let byIDStatement = SQLStatement(
    "SELECT \(AccountRow.columns) FROM accounts a WHERE a.account = $1")

  /// Returns the account with an address or number, found by its blind index; nil if there is none.
  package func account(
    named name: SignInName, in reader: any SQLReader
  ) throws -> (account: Account, passwordHash: PasswordHash?)? {
    guard let row = try reader.first(Self.byNameStatement, [.blob(nameIndex(name))]) else {
      return nil
    }
    let password = row.read(PasswordRow.self, after: AccountRow.self)
    let hash = try password.optionalText(.passwordHash).flatMap(PasswordHash.init(stored:))
    return (try account(from: row.decode()), hash)
  }

  private static let byNameStatement = SQLStatement(
    """
    SELECT \(AccountRow.columns), \(PasswordRow.columns) FROM accounts a WHERE a.email_index = $1
    """)

  /// Returns the accounts of administrators.
  package func administrators(in reader: any SQLReader) throws -> [Account] {
    try reader.query(Self.administratorsStatement, []).decode().map(account(from:))
  }

  private static let administratorsStatement = SQLStatement(
    """
    SELECT \(AccountRow.columns) FROM accounts a WHERE a.administrator = 1 ORDER BY a.account
    """)

  func nameIndex(_ name: SignInName) -> [UInt8] {
    cipher.blindIndex(name.folded, context: Self.emailContext)
  }

  func seal(_ name: SignInName, of account: AccountID) throws(StorageError) -> [UInt8] {
    try cipher.seal(name.text, context: "\(Self.emailContext):\(account)")
  }

  /// Decrypts the stored address or number of an account.
  package func email(sealed: [UInt8], of account: AccountID) throws(StorageError) -> String {
    try cipher.open(sealed, context: "\(Self.emailContext):\(account)")
  }

  /// Returns the account of a row, with its address decrypted.
  func account(from row: AccountRow) throws(StorageError) -> Account {
    Account(
      id: row.account, email: try email(sealed: row.emailSealed, of: row.account),
      displayName: row.displayName, patient: row.patient, isAdministrator: row.isAdministrator,
      language: row.language)
  }

  /// Changes the name that others see and the language of the account's pages.
  package func change(
    displayName: String, language: Language?, of account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    try Self.set(
      displayName: displayName, language: language, of: account, at: now, in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: nil, resource: "AccountSettings",
        resourceID: account.text, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }

  /// Returns true if a password is the account's.
  package func hasPassword(
    _ account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      "SELECT 1 FROM accounts WHERE account = $1 AND password_hash IS NOT NULL", [.text(account)])
      != nil
  }

  /// Returns true if the password is long enough only in combination with a second factor.
  package func hasShortPassword(
    _ account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      "SELECT 1 FROM accounts WHERE account = $1 AND short_password = 1", [.text(account)]) != nil
  }

  /// Stores the same password at another cost; sessions stay.
  func replace(
    _ old: PasswordHash, by new: PasswordHash, of account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try Self.replace(passwordHash: old, by: new, of: account, at: now, in: writer)
  }
}

/// The password of an account, read together with ``AccountRow``.
enum PasswordRow: SQLRowType {
  enum Column: Int, SQLColumn { case passwordHash }

  static let columns = SQLColumns<Column>(of: "a")
}
