// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// Starts, looks up and ends sessions.
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

  /// Ends a session; ending one that no longer exists changes nothing.
  package func endSession(
    _ secret: Secret, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard try SessionStore.delete(secret.digest, in: writer) else { return }
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .signOut, patient: nil, resource: "Session",
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }

  /// Returns the account of a session's secret; nil if it is unknown, has expired or was not used for longer
  /// than its role allows.
  package func signedIn(
    session secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> SignedIn? {
    try openSession(secret, at: now, in: reader)?.signedIn
  }

  /// Returns the account of a session's secret and, for an administrator, the number of emergency accesses
  /// that no one has reviewed yet.
  ///
  /// - Parameter granted: reads the rights granted to the account, together with other facts that the caller
  ///   needs; nil to read only the rights.
  package func openSession(
    _ secret: Secret, at now: Timestamp, in reader: any SQLReader,
    granted: ((_ account: AccountID) throws -> [PatientID: PatientRight])? = nil
  ) throws -> (signedIn: SignedIn, unreviewed: Int)? {
    try openSession(digest: secret.digest, at: now, in: reader, granted: granted)
  }

  /// Returns the same for the digest of a session's secret.
  func openSession(
    digest: [UInt8], at now: Timestamp, in reader: any SQLReader,
    granted: ((_ account: AccountID) throws -> [PatientID: PatientRight])? = nil
  ) throws -> (signedIn: SignedIn, unreviewed: Int)? {
    let row = try reader.first(Self.openSessionStatement, [SQLValue(now), .blob(digest)])
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
      needsSecondFactor: account.isAdministrator || isPractitioner,
      isConfirmedPractitioner: try session.bool(.isConfirmed))
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
      account: account, actor: actor, credential: SessionID(digest: digest),
      expires: try session.timestamp(.expires), session: facts, used: facts.seen)
    return (signedIn, Int(clamping: try session.integer(.unreviewed)))
  }

  private static let openSessionStatement = SQLStatement(
    """
    SELECT \(AccountRow.columns), \(OpenSessionRow.columns)
    FROM sessions s JOIN accounts a ON a.account = s.account
    WHERE s.expires > $1 AND s.digest = $2
    """)
}

/// A session with its account's rights and state, read together with ``AccountRow`` at the instant `$1`.
enum OpenSessionRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case expires, kind, created, seen, proved, proof, isPractitioner, isConfirmed, hasEmergency
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
      .isConfirmed: "EXISTS (SELECT 1 FROM practitioners p WHERE p.account = a.account)",
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
