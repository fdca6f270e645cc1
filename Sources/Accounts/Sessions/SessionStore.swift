// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// A session as its owner sees it.
package struct SessionListing: Sendable, Hashable {
  /// Names the session in forms: its digest, with which nobody signs in.
  package let id: String
  package let kind: SessionKind
  /// Browser and system in two words; empty where the browser said nothing.
  package let device: String
  package let created: Timestamp
  package let seen: Timestamp
}

/// How a session begins.
package struct SessionStart: Sendable, Hashable {
  package var kind: SessionKind
  package var proof: ProofKind
  package var device: String

  package init(kind: SessionKind = .trusted, proof: ProofKind = .password, device: String = "") {
    self.kind = kind
    self.proof = proof
    self.device = device
  }
}

/// Seeing, proving and ending sessions.
extension AccountStore {
  /// The sessions of an account that could still be used, the last used first.
  package func sessions(
    of account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [SessionListing] {
    let isPractitioner = try self.isPractitioner(account, at: now, in: reader)
    return try reader.query(
      """
      SELECT digest, kind, device, created, seen FROM sessions
      WHERE account = $1 AND expires > $2 ORDER BY seen DESC, created DESC
      """, [.text(account), SQLValue(now)]
    ).map { row throws(StorageError) in
      SessionListing(
        id: Hexadecimal.encode(try row.blob(0)),
        kind: SessionKind(rawValue: try row.text(1)) ?? .passing, device: try row.text(2),
        created: try row.timestamp(3), seen: try row.timestamp(4))
    }.filter { listing in
      Self.isAlive(
        listing.kind, created: listing.created, seen: listing.seen,
        isPractitioner: isPractitioner, at: now)
    }
  }

  /// Ends one session of the account by its id; false where it has none of that id.
  package func endSession(
    id: String, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard let digest = Hexadecimal.decode(id) else { return false }
    let ended = try writer.execute(
      "DELETE FROM sessions WHERE digest = $1 AND account = $2", [.blob(digest), .text(account)])
    guard ended > 0 else { return false }
    auditEnd(of: account, count: ended, at: now, in: writer)
    return true
  }

  /// Ends every session of the account but one; returns the ids of those that ended.
  @discardableResult
  package func endSessions(
    of account: AccountID, besides kept: String?, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> [String] {
    let digest = kept.flatMap(Hexadecimal.decode) ?? []
    let ended = try writer.query(
      "SELECT digest FROM sessions WHERE account = $1 AND digest <> $2",
      [.text(account), .blob(digest)]
    ).map { row throws(StorageError) in Hexadecimal.encode(try row.blob(0)) }
    try writer.execute(
      "DELETE FROM sessions WHERE account = $1 AND digest <> $2", [.text(account), .blob(digest)])
    try writer.execute("DELETE FROM pending_sign_ins WHERE account = $1", [.text(account)])
    try endKnownDevices(of: account, in: writer)
    if !ended.isEmpty { auditEnd(of: account, count: ended.count, at: now, in: writer) }
    return ended
  }

  /// Notes that a session was used, and gives it a new secret, since whoever held the old one has
  /// proved nothing.
  package func prove(
    _ old: Secret, as new: Secret, by proof: ProofKind, of account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let changed = try writer.execute(
      "UPDATE sessions SET digest = $1, proved = $2, proof = $3, seen = $2 WHERE digest = $4",
      [.blob(new.digest), SQLValue(now), .text(proof.rawValue), .blob(old.digest)])
    guard changed == 1 else { return false }
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .signIn, patient: nil, resource: "Proof",
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
    return true
  }

  /// Notes that a session is in use.
  package func touch(
    session secret: Secret, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE sessions SET seen = $1 WHERE digest = $2 AND seen < $1",
      [SQLValue(now), .blob(secret.digest)])
  }

  /// Whether a session within its limits is still one.
  static func isAlive(
    _ kind: SessionKind, created: Timestamp, seen: Timestamp, isPractitioner: Bool,
    at now: Timestamp
  ) -> Bool {
    let limits = SessionLimits.limits(kind, isPractitioner: isPractitioner)
    return now.milliseconds - created.milliseconds < limits.absolute
      && now.milliseconds - seen.milliseconds < limits.idle
  }

  /// Whether the account looks after patients of others as their practitioner now.
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
