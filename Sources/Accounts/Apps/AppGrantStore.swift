// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The statements that change `app_grants` and the tables of its codes, tokens, launches and assertions.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
enum AppGrantStore {
  static func insert(_ grant: AppGrant, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertGrantStatement, NewAppGrantRow(grant: grant).values)
  }

  private static let insertGrantStatement = SQLStatement(
    "INSERT INTO app_grants (\(NewAppGrantRow.columns)) VALUES (\(NewAppGrantRow.placeholders))")

  static func insert(_ code: NewAppCodeRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertCodeStatement, code.values)
  }

  private static let insertCodeStatement = SQLStatement(
    "INSERT INTO app_codes (\(NewAppCodeRow.columns)) VALUES (\(NewAppCodeRow.placeholders))")

  static func insert(_ token: NewAppTokenRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertTokenStatement, token.values)
  }

  private static let insertTokenStatement = SQLStatement(
    "INSERT INTO app_tokens (\(NewAppTokenRow.columns)) VALUES (\(NewAppTokenRow.placeholders))")

  /// Marks a code as used; returns false if it was used before.
  static func use(
    code digest: [UInt8], at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "UPDATE app_codes SET used = $1 WHERE digest = $2 AND used IS NULL",
      [SQLValue(now), .blob(digest)]) == 1
  }

  /// Marks a refresh token as replaced; returns false if it was replaced before.
  static func rotate(
    _ digest: [UInt8], at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE app_tokens SET rotated = $1
      WHERE digest = $2 AND kind = 'refresh' AND rotated IS NULL
      """, [SQLValue(now), .blob(digest)]) == 1
  }

  /// Ends a grant with all its tokens; returns false if it has ended or does not exist.
  static func end(
    _ grant: AppGrantID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute("DELETE FROM app_tokens WHERE app_grant = $1", [.text(grant)])
    return try writer.execute(
      "UPDATE app_grants SET ended = $1 WHERE app_grant = $2 AND ended IS NULL",
      [SQLValue(now), .text(grant)]) == 1
  }

  static func delete(token digest: [UInt8], in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM app_tokens WHERE digest = $1", [.blob(digest)])
  }

  /// Records the use of a token at its grant.
  static func touch(
    token digest: [UInt8], at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE app_grants SET used = $1
      WHERE app_grant = (SELECT t.app_grant FROM app_tokens t WHERE t.digest = $2)
        AND (used IS NULL OR used < $1)
      """, [SQLValue(now), .blob(digest)])
  }

  // MARK: Launches and assertions

  static func insertLaunch(
    _ digest: [UInt8], app: AppID, account: AccountID, patient: PatientID, expires: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO app_launches (digest, app, account, patient, expires)
      VALUES ($1, $2, $3, $4, $5)
      """, [.blob(digest), .text(app), .text(account), .text(patient), SQLValue(expires)])
  }

  /// Deletes a launch; returns false if it was used before.
  static func deleteLaunch(
    _ digest: [UInt8], in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute("DELETE FROM app_launches WHERE digest = $1", [.blob(digest)]) == 1
  }

  /// Records an assertion; returns false if it was used before.
  static func insertAssertion(
    _ digest: [UInt8], of app: AppID, expires: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      INSERT INTO app_assertions (app, digest, expires) VALUES ($1, $2, $3)
      ON CONFLICT (app, digest) DO NOTHING
      """, [.text(app), .blob(digest), SQLValue(expires)]) == 1
  }

  /// Deletes everything that ended before an instant.
  static func delete(
    endedBefore instant: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM app_launches WHERE expires < $1", [SQLValue(instant)])
    try writer.execute("DELETE FROM app_assertions WHERE expires < $1", [SQLValue(instant)])
    try writer.execute("DELETE FROM app_tokens WHERE expires < $1", [SQLValue(instant)])
    try writer.execute(
      "DELETE FROM app_grants WHERE expires < $1 OR ended < $1", [SQLValue(instant)])
  }
}

/// A new row of `app_grants`.
struct NewAppGrantRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case appGrant, app, account, patient, scopes, created, expires }

  static let columns = SQLColumns<Column>()

  let grant: AppGrant

  func value(of column: Column) -> SQLValue {
    switch column {
    case .appGrant: .text(grant.id)
    case .app: .text(grant.app)
    case .account: .text(grant.account)
    case .patient: SQLValue(grant.patient)
    case .scopes: .text(grant.scopes.text)
    case .created: SQLValue(grant.created)
    case .expires: SQLValue(grant.expires)
    }
  }
}

/// A new row of `app_codes`.
struct NewAppCodeRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case digest, appGrant, challenge, redirect, nonce, proved, expires, keyThumbprint
  }

  static let columns = SQLColumns<Column>()

  let digest: [UInt8]
  let grant: AppGrantID
  let request: AppCodeRequest
  let expires: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .digest: .blob(digest)
    case .appGrant: .text(grant)
    case .challenge: .text(request.challenge)
    case .redirect: .text(request.redirect)
    case .nonce: SQLValue(request.nonce)
    case .proved: SQLValue(request.proved)
    case .expires: SQLValue(expires)
    case .keyThumbprint: SQLValue(request.keyThumbprint)
    }
  }
}

/// A new row of `app_tokens`.
struct NewAppTokenRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case digest, appGrant, kind, scopes, created, expires, keyThumbprint
  }

  static let columns = SQLColumns<Column>()

  let digest: [UInt8]
  let grant: AppGrantID
  let kind: AppTokenKind
  let scopes: String
  let created: Timestamp
  let expires: Timestamp
  /// The key to which the token is bound; nil for none.
  let keyThumbprint: String?

  func value(of column: Column) -> SQLValue {
    switch column {
    case .digest: .blob(digest)
    case .appGrant: .text(grant)
    case .kind: .text(kind.rawValue)
    case .scopes: .text(scopes)
    case .created: SQLValue(created)
    case .expires: SQLValue(expires)
    case .keyThumbprint: SQLValue(keyThumbprint)
    }
  }
}

/// A code that an app presents.
enum AppCodeRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case challenge, redirect, nonce, proved, expires, used, keyThumbprint
  }

  static let columns = SQLColumns<Column>(of: "c")
}

/// A token that an app presents.
enum AppTokenRow: SQLRowType {
  enum Column: Int, SQLColumn { case kind, scopes, created, expires, rotated, keyThumbprint }

  static let columns = SQLColumns<Column>(of: "t")
}

/// An access token with its grant, read together with ``AccountRow``.
enum OpenAppTokenRow: SQLRowType {
  enum Column: Int, SQLColumn { case scopes, expires, patient, used, app, keyThumbprint }

  static let columns = SQLColumns<Column>(
    of: "t", [.patient: "g.patient", .used: "g.used", .app: "g.app"])
}
