// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// A session as its owner sees it.
package struct SessionListing: Sendable, Hashable {
  /// The identifier of the session in forms: its digest, which cannot be used to sign in.
  package let id: SessionID
  /// The kind of device on which the session was opened.
  package let kind: SessionKind
  /// The browser and system in two words; empty if they are not known.
  package let device: String
  /// The time at which the session was opened.
  package let created: Timestamp
  /// The time of the last request, to the minute.
  package let seen: Timestamp
}

extension SessionListing: SQLReadableRow {
  /// The columns of a session in the list.
  package enum Column: Int, SQLColumn { case digest, kind, device, created, seen }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a listing from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    self.init(
      id: SessionID(digest: try columns.blob(.digest)),
      kind: SessionKind(rawValue: try columns.text(.kind)) ?? .passing,
      device: try columns.text(.device), created: try columns.timestamp(.created),
      seen: try columns.timestamp(.seen))
  }
}

/// The start of a session.
package struct SessionStart: Sendable, Hashable {
  /// The kind of device on which the session is opened.
  package var kind: SessionKind
  /// The proof with which the session is opened.
  package var proof: ProofKind
  /// The browser and system in two words; empty if they are not known.
  package var device: String

  /// Creates the start of a session.
  package init(kind: SessionKind = .trusted, proof: ProofKind = .password, device: String = "") {
    self.kind = kind
    self.proof = proof
    self.device = device
  }
}

/// Lists, proves and ends sessions.
extension AccountStore {
  /// Returns the sessions of an account that can still be used, the last used first.
  package func sessions(
    of account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [SessionListing] {
    let isPractitioner = try self.isPractitioner(account, at: now, in: reader)
    return try reader.query(
      Self.sessionsStatement, [.text(account), SQLValue(now)]
    ).decode(as: SessionListing.self).filter { listing in
      Self.isAlive(
        listing.kind, created: listing.created, seen: listing.seen,
        isPractitioner: isPractitioner, at: now)
    }
  }

  private static let sessionsStatement = SQLStatement(
    """
    SELECT \(SessionListing.columns) FROM sessions
    WHERE account = $1 AND expires > $2 ORDER BY seen DESC, created DESC
    """)

  /// Ends one session of the account by its id; returns false if it has none of that id.
  package func endSession(
    id: SessionID, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard let digest = id.digest,
      try SessionStore.delete(digest, of: account, in: writer)
    else { return false }
    auditEnd(of: account, count: 1, at: now, in: writer)
    return true
  }

  /// Ends every session of the account except one, and forgets its known devices.
  ///
  /// Returns the ids of the sessions that ended.
  @discardableResult
  package func endSessions(
    of account: AccountID, besides kept: SessionID?, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> [SessionID] {
    let digest = kept?.digest ?? []
    let ended = try writer.query(
      "SELECT digest FROM sessions WHERE account = $1 AND digest <> $2",
      [.text(account), .blob(digest)]
    ).values(as: [UInt8].self).map { SessionID(digest: $0) }
    try SessionStore.delete(of: account, besides: digest, in: writer)
    try PendingSignInStore.delete(of: account, in: writer)
    try Self.endKnownDevices(of: account, in: writer)
    if !ended.isEmpty { auditEnd(of: account, count: ended.count, at: now, in: writer) }
    return ended
  }

  /// Records a new proof of identity for a session and gives it a new secret, because whoever has the old one
  /// proved nothing.
  ///
  /// Returns false if there is no such session.
  package func prove(
    _ old: Secret, as new: Secret, by proof: ProofKind, of account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let isProved = try SessionStore.prove(
      old.digest, as: new.digest, by: proof, at: now, in: writer)
    guard isProved else { return false }
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .signIn, patient: nil, resource: "Proof",
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
    return true
  }

  /// Records that a session is in use.
  package func touch(
    session secret: Secret, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try SessionStore.touch(secret.digest, at: now, in: writer)
  }

  /// Returns true if a session within its time limits is still valid.
  static func isAlive(
    _ kind: SessionKind, created: Timestamp, seen: Timestamp, isPractitioner: Bool,
    at now: Timestamp
  ) -> Bool {
    let limits = SessionLimits.limits(kind, isPractitioner: isPractitioner)
    return now.milliseconds - created.milliseconds < limits.absolute
      && now.milliseconds - seen.milliseconds < limits.idle
  }

  /// Returns true if the account is a confirmed practitioner or has a practitioner's grant now.
  package func isPractitioner(
    _ account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      """
      SELECT 1 FROM grants WHERE account = $1 AND relationship = 'practitioner'
        AND starts <= $2 AND (ends IS NULL OR ends > $2)
      UNION ALL SELECT 1 FROM practitioners WHERE account = $1
      LIMIT 1
      """, [.text(account), SQLValue(now)]) != nil
  }

  private func auditEnd(
    of account: AccountID, count: Int, at now: Timestamp, in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .signOut, patient: nil, resource: "Session",
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success,
        count: count))
  }
}
