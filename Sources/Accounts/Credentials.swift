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
    try SessionStore.insert(
      NewSessionRow(
        digest: secret.digest, account: account, start: start, created: now,
        expires: now.adding(milliseconds: limits.absolute)), in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .signIn, patient: nil, resource: "Session",
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }

  /// Ends a session; ending one that is gone changes nothing.
  package func endSession(
    _ secret: Secret, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard try SessionStore.delete(secret.digest, in: writer) else { return }
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
      Self.openSessionStatement, [SQLValue(now), .blob(secret.digest)])
    guard let row else { return nil }
    let account = try account(from: row.decode())
    let session = row.read(OpenSessionRow.self, after: AccountRow.self)
    let isPractitioner = try session.bool(.isPractitioner)
    let facts = SessionFacts(
      kind: SessionKind(rawValue: try session.text(.kind)) ?? .passing,
      created: try session.timestamp(.created), seen: try session.timestamp(.seen),
      proved: try session.timestamp(.proved),
      proof: ProofKind(rawValue: try session.text(.proof)) ?? .password,
      secondFactor: SecondFactorState(
        codeApps: try session.integer(.codeApps), passkeys: try session.integer(.passkeys),
        recoveryCodes: try session.integer(.recoveryCodes)),
      needsSecondFactor: account.isAdministrator || isPractitioner)
    guard
      Self.isAlive(
        facts.kind, created: facts.created, seen: facts.seen, isPractitioner: isPractitioner,
        at: now)
    else { return nil }
    var rights = try granted?(account.id) ?? self.rights(of: account.id, at: now, in: reader)
    if try session.bool(.hasEmergency) {
      try addEmergencies(of: account.id, at: now, to: &rights, in: reader)
    }
    let actor = Actor(
      accountID: account.id, kind: .session, rights: rights, scope: .session,
      isAdministrator: account.isAdministrator)
    let signedIn = SignedIn(
      account: account, actor: actor, credential: SessionID(secret),
      expires: try session.timestamp(.expires), session: facts, used: facts.seen)
    return (signedIn, Int(clamping: try session.integer(.unreviewed)))
  }

  private static let openSessionStatement = SQLStatement(
    """
    SELECT \(AccountRow.columns), \(OpenSessionRow.columns)
    FROM sessions s JOIN accounts a ON a.account = s.account
    WHERE s.expires > $1 AND s.digest = $2
    """)

  /// Makes a one-time invitation with which the owner of the account chooses a password.
  package func createInvitation(
    _ secret: Secret, for account: AccountID,
    lasting lifetime: Int64 = CredentialLifetime.invitation,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try InvitationStore.insert(
      secret.digest, for: account, at: now, expires: now.adding(milliseconds: lifetime), in: writer)
  }

  /// The account that an unused, unexpired invitation is for.
  package func invited(
    by secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> Account? {
    let row = try reader.first(
      "SELECT account FROM invitations WHERE digest = $1 AND used IS NULL AND expires > $2",
      [.blob(secret.digest), SQLValue(now)])
    return try row.flatMap { try account($0.value(), in: reader) }
  }

  /// Uses an invitation up and sets the password that its holder chose.
  package func accept(
    invitation secret: Secret, passwordHash: PasswordHash, isShort: Bool = false,
    at now: Timestamp, in writer: any SQLWriter
  ) throws -> Account {
    guard let account = try invited(by: secret, at: now, in: writer) else {
      throw AccountError.invitationUnknown
    }
    try InvitationStore.useUp(secret.digest, at: now, in: writer)
    try setPassword(passwordHash, isShort: isShort, of: account.id, at: now, in: writer)
    return account
  }
}

/// A session with what its account may and has, read together with ``AccountRow`` at the instant `$1`.
enum OpenSessionRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case expires, kind, created, seen, proved, proof, isPractitioner, hasEmergency
    case codeApps, passkeys, recoveryCodes, unreviewed
  }

  static let columns = SQLColumns<Column>(
    of: "s",
    [
      .isPractitioner: """
      EXISTS (SELECT 1 FROM grants g WHERE g.account = a.account
        AND g.relationship = 'practitioner' AND g.starts <= $1
        AND (g.ends IS NULL OR g.ends > $1))
        OR EXISTS (SELECT 1 FROM practitioners p WHERE p.account = a.account)
      """,
      .hasEmergency: """
      EXISTS (SELECT 1 FROM emergencies e WHERE e.account = a.account AND e.ends > $1)
      """,
      .codeApps: "(SELECT COUNT(*) FROM code_apps c WHERE c.account = a.account)",
      .passkeys: "(SELECT COUNT(*) FROM passkeys k WHERE k.account = a.account)",
      .recoveryCodes: """
      (SELECT COUNT(*) FROM recovery_codes r WHERE r.account = a.account AND r.used IS NULL)
      """,
      .unreviewed: """
      CASE WHEN a.administrator = 1
        THEN (SELECT COUNT(*) FROM emergencies WHERE reviewed IS NULL) ELSE 0 END
      """,
    ])
}
