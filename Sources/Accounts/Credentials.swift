// SPDX-License-Identifier: Apache-2.0

import Access
import Storage

/// How long credentials live, in milliseconds.
package enum CredentialLifetime {
  /// A patient's own phone stays signed in for 30 days; docs/run-it.md says so.
  package static let session: Int64 = 30 * 24 * 3_600_000
  /// An invitation link is good for 7 days.
  package static let invitation: Int64 = 7 * 24 * 3_600_000
}

/// The scopes a token may be made with.
package enum TokenScope: String, Sendable, Hashable, CaseIterable {
  /// Every patient; made on the host only.
  case system = "system/*.cruds"
  /// The account's own rights, in the two spellings of SMART App Launch 2.
  case user = "user/*.cruds"
  case patient = "patient/*.cruds"

  /// Reads a scope as typed.
  package init(parsing text: String) throws(AccountError) {
    guard let scope = TokenScope(rawValue: text) else { throw .unknownScope(text) }
    self = scope
  }

  var accessScope: Scope {
    switch self {
    case .system: .system
    case .user, .patient: .own
    }
  }
}

/// Sessions, tokens and invitations.
extension AccountStore {
  /// Starts a session; the secret goes into the cookie.
  package func startSession(
    _ secret: Secret, for account: String, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    try writer.execute(
      "INSERT INTO sessions (digest, account, created, expires) VALUES ($1, $2, $3, $4)",
      [
        .blob(secret.digest), SQLValue(account), SQLValue(now),
        SQLValue(Timestamp(milliseconds: now.milliseconds + CredentialLifetime.session)),
      ])
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .signIn, patient: nil, resource: "Session",
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }

  /// Ends a session; ending one that is gone changes nothing.
  package func endSession(
    _ secret: Secret, of account: String, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    let ended = try writer.execute(
      "DELETE FROM sessions WHERE digest = $1", [.blob(secret.digest)])
    guard ended > 0 else { return }
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .signOut, patient: nil, resource: "Session",
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }

  /// Who a session's secret stands for; nil when it is unknown or has expired.
  package func signedIn(
    session secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> SignedIn? {
    let row = try reader.first(
      "SELECT account, expires FROM sessions WHERE digest = $1 AND expires > $2",
      [.blob(secret.digest), SQLValue(now)])
    guard let row, let account = try account(try row.text(0), in: reader) else { return nil }
    let actor = Actor(
      accountID: account.id, kind: .session,
      rights: try rights(of: account.id, at: now, in: reader), scope: .session,
      isAdministrator: account.isAdministrator)
    return SignedIn(
      account: account, actor: actor, credential: Hexadecimal.encode(secret.digest),
      expires: try row.timestamp(1))
  }

  /// Makes a bearer token; its text is shown once by the caller.
  package func createToken(
    _ secret: Secret, for account: String, scope: TokenScope, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    try writer.execute(
      "INSERT INTO tokens (digest, account, scope, created, expires) VALUES ($1, $2, $3, $4, NULL)",
      [.blob(secret.digest), SQLValue(account), SQLValue(scope.rawValue), SQLValue(now)])
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .create, patient: nil, resource: "Token",
        resourceID: nil, version: nil, purpose: Purpose.administration.rawValue,
        outcome: .success))
  }

  /// Who a bearer token stands for; nil when it is unknown or has expired.
  package func signedIn(
    token secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> SignedIn? {
    let row = try reader.first(
      """
      SELECT account, scope, expires FROM tokens
      WHERE digest = $1 AND (expires IS NULL OR expires > $2)
      """, [.blob(secret.digest), SQLValue(now)])
    guard let row, let account = try account(try row.text(0), in: reader),
      let scope = TokenScope(rawValue: try row.text(1))
    else { return nil }
    let actor = Actor(
      accountID: account.id, kind: .token,
      rights: try rights(of: account.id, at: now, in: reader),
      scope: scope.accessScope, isAdministrator: account.isAdministrator)
    return SignedIn(
      account: account, actor: actor, credential: Hexadecimal.encode(secret.digest),
      expires: try row.optionalTimestamp(2))
  }

  /// Makes a one-time invitation with which the owner of the account chooses a password.
  package func createInvitation(
    _ secret: Secret, for account: String, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    try writer.execute(
      "INSERT INTO invitations (digest, account, created, expires, used) VALUES ($1, $2, $3, $4, NULL)",
      [
        .blob(secret.digest), SQLValue(account), SQLValue(now),
        SQLValue(Timestamp(milliseconds: now.milliseconds + CredentialLifetime.invitation)),
      ])
  }

  /// The account that an unused, unexpired invitation is for.
  package func invited(
    by secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> Account? {
    let row = try reader.first(
      "SELECT account FROM invitations WHERE digest = $1 AND used IS NULL AND expires > $2",
      [.blob(secret.digest), SQLValue(now)])
    return try row.flatMap { try account(try $0.text(0), in: reader) }
  }

  /// Uses an invitation up and sets the password that its holder chose.
  package func accept(
    invitation secret: Secret, passwordHash: PasswordHash, at now: Timestamp,
    in writer: any SQLWriter
  ) throws -> Account {
    guard let account = try invited(by: secret, at: now, in: writer) else {
      throw AccountError.invitationUnknown
    }
    try writer.execute(
      "UPDATE invitations SET used = $1 WHERE digest = $2", [SQLValue(now), .blob(secret.digest)])
    try setPassword(passwordHash, of: account.id, at: now, in: writer)
    return account
  }
}
