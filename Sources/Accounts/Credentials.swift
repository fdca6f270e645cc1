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
    try openSession(secret, at: now, in: reader)?.signedIn
  }

  /// The same, and how many looks in an emergency nobody has reviewed yet, if the account is an administrator's.
  ///
  /// - Parameter granted: reads what the account was granted, with what else the caller wants to know of it.
  package func openSession(
    _ secret: Secret, at now: Timestamp, in reader: any SQLReader,
    granted: ((_ account: AccountID) throws -> [PatientID: PatientRight])? = nil
  ) throws -> (signedIn: SignedIn, unreviewed: Int)? {
    let row = try reader.first(
      """
      SELECT a.account, a.email_sealed, a.display_name, a.patient, a.administrator, a.language,
        s.expires, s.kind, s.created, s.seen, s.proved, s.proof,
        EXISTS (SELECT 1 FROM grants g WHERE g.account = a.account
          AND g.relationship = 'practitioner' AND g.starts <= $1
          AND (g.ends IS NULL OR g.ends > $1))
          OR EXISTS (SELECT 1 FROM practitioners p WHERE p.account = a.account),
        EXISTS (SELECT 1 FROM emergencies e WHERE e.account = a.account AND e.ends > $1),
        (SELECT COUNT(*) FROM code_apps c WHERE c.account = a.account),
        (SELECT COUNT(*) FROM passkeys k WHERE k.account = a.account),
        (SELECT COUNT(*) FROM recovery_codes r WHERE r.account = a.account AND r.used IS NULL),
        CASE WHEN a.administrator = 1
          THEN (SELECT COUNT(*) FROM emergencies WHERE reviewed IS NULL) ELSE 0 END
      FROM sessions s JOIN accounts a ON a.account = s.account
      WHERE s.digest = $2 AND s.expires > $1
      """, [SQLValue(now), .blob(secret.digest)])
    guard let row else { return nil }
    let account = try account(from: row)
    let isPractitioner = try row.bool(12)
    let facts = SessionFacts(
      kind: SessionKind(rawValue: try row.text(7)) ?? .passing, created: try row.timestamp(8),
      seen: try row.timestamp(9), proved: try row.timestamp(10),
      proof: ProofKind(rawValue: try row.text(11)) ?? .password,
      secondFactor: try Self.secondFactor(row, from: 14),
      needsSecondFactor: account.isAdministrator || isPractitioner)
    guard
      Self.isAlive(
        facts.kind, created: facts.created, seen: facts.seen, isPractitioner: isPractitioner,
        at: now)
    else { return nil }
    var rights = try granted?(account.id) ?? self.rights(of: account.id, at: now, in: reader)
    if try row.bool(13) {
      try addEmergencies(of: account.id, at: now, to: &rights, in: reader)
    }
    let actor = Actor(
      accountID: account.id, kind: .session, rights: rights, scope: .session,
      isAdministrator: account.isAdministrator)
    let signedIn = SignedIn(
      account: account, actor: actor, credential: Hexadecimal.encode(secret.digest),
      expires: try row.timestamp(6), session: facts, used: facts.seen)
    return (signedIn, Int(clamping: try row.integer(17)))
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
