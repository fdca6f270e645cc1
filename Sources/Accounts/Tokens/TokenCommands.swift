// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// A token as its owner sees it.
package struct TokenListing: Sendable, Hashable {
  /// The identifier of the token in forms: its digest, which cannot be used to sign in.
  package let id: SessionID
  /// The first characters of the token; empty for tokens created before these were stored.
  package let prefix: String
  /// The owner's name for the token; may be empty.
  package let label: String
  /// The scope of the token.
  package let scope: TokenScope
  /// The only patient for whom a vitals token can send; nil for other tokens.
  package let patient: PatientID?
  /// The time at which it was created.
  package let created: Timestamp
  /// The end of the token; nil for no end.
  package let expires: Timestamp?
  /// The time of its last use, to the minute; nil for none.
  package let used: Timestamp?
}

extension TokenListing: SQLReadableRow {
  /// The columns of a token in the list.
  package enum Column: Int, SQLColumn { case digest, prefix, label, scope, created, expires, used }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a listing from a row; an unknown scope is shown as `user`.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    let read = TokenScope.read(try columns.text(.scope))
    self.init(
      id: SessionID(digest: try columns.blob(.digest)), prefix: try columns.text(.prefix),
      label: try columns.text(.label), scope: read?.scope ?? .user, patient: read?.patient,
      created: try columns.timestamp(.created), expires: try columns.optionalTimestamp(.expires),
      used: try columns.optionalTimestamp(.used))
  }
}

/// The lifetime of a token, chosen by its creator.
package enum TokenLifetime {
  /// The usual lifetime, in days.
  package static let standardDays = 365
  /// The longest lifetime, in days.
  package static let longestDays = 3650

  /// Returns the end of a token created now.
  ///
  /// Throws ``AccountError/tokenLifetime(maximumDays:)`` for days out of range.
  package static func end(days: Int, at now: Timestamp) throws(AccountError) -> Timestamp {
    guard (1...longestDays).contains(days) else {
      throw .tokenLifetime(maximumDays: longestDays)
    }
    return now.adding(milliseconds: Int64(days) * SessionLimits.day)
  }
}

/// Bearer tokens: stored as digests, with the first characters so that they can be recognised.
extension AccountStore {
  /// The number of characters of a token that are stored: its purpose and 24 of its 256 bits.
  private static let prefixLength = 8
  /// The maximum length of a label, in characters.
  package static let longestTokenLabel = 60

  /// Adds a bearer token, whose text the caller shows once.
  ///
  /// - Parameter patient: the only patient for whom a vitals token can send.
  package func createToken(
    _ secret: Secret, for account: AccountID, scope: TokenScope, patient: PatientID? = nil,
    label: String = "", expires: Timestamp? = nil, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard label.count <= Self.longestTokenLabel else {
      throw AccountError.nameTooLong(maximum: Self.longestTokenLabel)
    }
    try TokenStore.insert(
      NewTokenRow(
        digest: secret.digest, account: account, scope: scope.text(for: patient), created: now,
        expires: expires, prefix: String(secret.text.prefix(Self.prefixLength)), label: label),
      in: writer)
    auditToken(.create, of: account, at: now, in: writer)
  }

  /// Returns the account of a bearer token; nil if it is unknown or expired.
  package func signedIn(
    token secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> SignedIn? {
    if secret.text.hasPrefix(Secret.appTokenPrefix) {
      return try signedIn(appToken: secret, at: now, in: reader)
    }
    return try signedIn(token: SessionID(secret), at: now, in: reader)
  }

  /// Returns the account of a bearer token by the token's identifier, for work that the token started; nil if it
  /// was ended or has expired.
  package func signedIn(
    token id: SessionID, at now: Timestamp, in reader: any SQLReader
  ) throws -> SignedIn? {
    guard let digest = id.digest else { return nil }
    let row = try reader.first(Self.openTokenStatement, [.blob(digest), SQLValue(now)])
    guard let row else { return nil }
    let token = row.read(OpenTokenRow.self, after: AccountRow.self)
    guard let (scope, patient) = TokenScope.read(try token.text(.scope)) else { return nil }
    let account = try account(from: row.decode())
    let actor = Actor(
      accountID: account.id, kind: .token,
      rights: try rights(of: account.id, at: now, in: reader).filter {
        patient == nil || $0.key == patient
      },
      scope: scope.accessScope,
      isAdministrator: account.isAdministrator && !scope.accessScope.onlySendsVitals)
    return SignedIn(
      account: account, actor: actor, credential: id,
      expires: try token.optionalTimestamp(.expires), session: nil,
      used: try token.optionalTimestamp(.used))
  }

  private static let openTokenStatement = SQLStatement(
    """
    SELECT \(AccountRow.columns), \(OpenTokenRow.columns)
    FROM tokens t JOIN accounts a ON a.account = t.account
    WHERE t.digest = $1 AND (t.expires IS NULL OR t.expires > $2)
    """)

  /// Returns the tokens of an account that can still be used, the newest first.
  package func tokens(
    of account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [TokenListing] {
    try reader.query(Self.tokensOfAccountStatement, [.text(account), SQLValue(now)]).decode()
  }

  private static let tokensOfAccountStatement = SQLStatement(
    """
    SELECT \(TokenListing.columns) FROM tokens
    WHERE account = $1 AND (expires IS NULL OR expires > $2) ORDER BY created DESC, digest
    """)

  /// Changes the end of a vitals token, which keeps its text; returns false if the account has none of that
  /// id.
  package func renewToken(
    id: SessionID, of account: AccountID, until end: Timestamp, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard let digest = id.digest,
      try tokens(of: account, at: now, in: writer).contains(where: {
        $0.id == id && $0.scope == .vitals
      })
    else { return false }
    try TokenStore.set(expires: end, of: digest, account: account, in: writer)
    auditToken(.update, of: account, at: now, in: writer)
    return true
  }

  /// Ends a token of the account by its id; returns false if it has none of that id.
  ///
  /// - Parameter actor: the account that ends it, if not the token's own.
  package func endToken(
    id: SessionID, of account: AccountID, by actor: AccountID? = nil, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard let digest = id.digest,
      try TokenStore.delete(digest, of: account, in: writer)
    else { return false }
    auditToken(.delete, of: actor ?? account, at: now, in: writer)
    return true
  }

  /// Records that a token is in use.
  package func touch(
    token id: SessionID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    guard let digest = id.digest else { return }
    try TokenStore.touch(digest, at: now, in: writer)
    try AppGrantStore.touch(token: digest, at: now, in: writer)
  }

  private func auditToken(
    _ kind: AuditEntry.Kind, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: kind, patient: nil, resource: "Token",
        resourceID: nil, version: nil, purpose: Purpose.administration.rawValue,
        outcome: .success))
  }
}

/// A token, read together with ``AccountRow``.
enum OpenTokenRow: SQLRowType {
  enum Column: Int, SQLColumn { case scope, expires, used }

  static let columns = SQLColumns<Column>(of: "t")
}
