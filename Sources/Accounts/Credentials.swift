// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// How long credentials live, in milliseconds.
package enum CredentialLifetime {
  /// A person's own phone stays signed in for 30 days after its last use; docs/signing-in.md says so.
  package static let session = SessionLimits.longestIdle
  /// An invitation link is good for 7 days.
  package static let invitation = 7 * SessionLimits.day
  /// A link that was asked for by mail is good for an hour.
  package static let recovery = SessionLimits.hour
}

/// Sessions and invitations.
extension AccountStore {
  /// Starts a session; the secret goes into the cookie.
  package func startSession(
    _ secret: Secret, for account: AccountID, as start: SessionStart = SessionStart(),
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let limits = SessionLimits.limits(start.kind, isPractitioner: false)
    try writer.execute(
      """
      INSERT INTO sessions (digest, account, created, expires, kind, device, seen, proved, proof)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      """,
      [
        .blob(secret.digest), SQLValue(account), SQLValue(now),
        SQLValue(now.adding(milliseconds: limits.absolute)), .text(start.kind.rawValue),
        .text(start.device), SQLValue(now), SQLValue(now), .text(start.proof.rawValue),
      ])
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .signIn, patient: nil, resource: "Session",
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }

  /// Ends a session; ending one that is gone changes nothing.
  package func endSession(
    _ secret: Secret, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    let ended = try writer.execute(
      "DELETE FROM sessions WHERE digest = $1", [.blob(secret.digest)])
    guard ended > 0 else { return }
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .signOut, patient: nil, resource: "Session",
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }

  /// Who a session's secret stands for; nil when it is unknown, has expired or was not used for
  /// longer than its role allows.
  package func signedIn(
    session secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> SignedIn? {
    let row = try reader.first(
      """
      SELECT account, expires, kind, created, seen, proved, proof FROM sessions
      WHERE digest = $1 AND expires > $2
      """, [.blob(secret.digest), SQLValue(now)])
    guard let row, let account = try account(try row.id(0), in: reader) else { return nil }
    let rights = try sessionRights(of: account.id, at: now, in: reader)
    let isPractitioner = try isPractitioner(account.id, at: now, in: reader)
    let facts = SessionFacts(
      kind: SessionKind(rawValue: try row.text(2)) ?? .passing, created: try row.timestamp(3),
      seen: try row.timestamp(4), proved: try row.timestamp(5),
      proof: ProofKind(rawValue: try row.text(6)) ?? .password,
      secondFactor: try secondFactor(of: account.id, in: reader),
      needsSecondFactor: account.isAdministrator || isPractitioner)
    guard
      Self.isAlive(
        facts.kind, created: facts.created, seen: facts.seen, isPractitioner: isPractitioner,
        at: now)
    else { return nil }
    let actor = Actor(
      accountID: account.id, kind: .session, rights: rights, scope: .session,
      isAdministrator: account.isAdministrator)
    return SignedIn(
      account: account, actor: actor, credential: Hexadecimal.encode(secret.digest),
      expires: try row.timestamp(1), session: facts, used: facts.seen)
  }

  /// Makes a one-time invitation with which the owner of the account chooses a password.
  package func createInvitation(
    _ secret: Secret, for account: AccountID,
    lasting lifetime: Int64 = CredentialLifetime.invitation,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "INSERT INTO invitations (digest, account, created, expires, used) VALUES ($1, $2, $3, $4, NULL)",
      [
        .blob(secret.digest), SQLValue(account), SQLValue(now),
        SQLValue(now.adding(milliseconds: lifetime)),
      ])
  }

  /// The account that an unused, unexpired invitation is for.
  package func invited(
    by secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> Account? {
    let row = try reader.first(
      "SELECT account FROM invitations WHERE digest = $1 AND used IS NULL AND expires > $2",
      [.blob(secret.digest), SQLValue(now)])
    return try row.flatMap { try account(try $0.id(0), in: reader) }
  }

  /// Uses an invitation up and sets the password that its holder chose.
  package func accept(
    invitation secret: Secret, passwordHash: PasswordHash, isShort: Bool = false,
    at now: Timestamp, in writer: any SQLWriter
  ) throws -> Account {
    guard let account = try invited(by: secret, at: now, in: writer) else {
      throw AccountError.invitationUnknown
    }
    try writer.execute(
      "UPDATE invitations SET used = $1 WHERE digest = $2", [SQLValue(now), .blob(secret.digest)])
    try setPassword(passwordHash, isShort: isShort, of: account.id, at: now, in: writer)
    return account
  }
}
