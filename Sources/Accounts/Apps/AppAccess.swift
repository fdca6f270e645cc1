// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// An app that a person has connected, as the list shows it.
package struct ConnectedApp: Sendable, Hashable {
  /// The access that the person gave to it.
  package let grant: AppGrant
  /// The name of the app.
  package let name: String
}

extension ConnectedApp: SQLReadableRow {
  /// The columns after those of the grant.
  package enum Column: Int, SQLColumn {
    case appGrant, app, account, patient, scopes, created, expires, ended, used, name
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>(of: "g", [.name: "p.name"])

  /// Creates an entry from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    let grant = AppGrant(
      id: try columns.id(.appGrant), app: try columns.id(.app), account: try columns.id(.account),
      patient: try columns.optionalID(.patient),
      scopes: SMARTScopes(parsing: try columns.text(.scopes)),
      created: try columns.timestamp(.created), expires: try columns.timestamp(.expires),
      ended: try columns.optionalTimestamp(.ended), used: try columns.optionalTimestamp(.used))
    self.init(grant: grant, name: try columns.text(.name))
  }
}

/// The access that people gave to apps.
extension AccountStore {
  /// Returns the apps that an account has connected and whose access has not ended, the newest first.
  ///
  /// An app that never exchanged its code has no access.
  package func connectedApps(
    of account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [ConnectedApp] {
    try reader.query(Self.connectedStatement, [.text(account), SQLValue(now)]).decode()
  }

  private static let connectedStatement = SQLStatement(
    """
    SELECT \(ConnectedApp.columns) FROM app_grants g JOIN apps p ON p.app = g.app
    WHERE g.account = $1 AND g.ended IS NULL AND g.expires > $2 AND p.kind <> 'backend'
      AND EXISTS (SELECT 1 FROM app_tokens t WHERE t.app_grant = g.app_grant AND t.expires > $2)
    ORDER BY g.created DESC, g.app_grant
    """)

  /// Returns all access that an account gave to apps, the oldest first, until it is deleted some time after its end.
  func allConnectedApps(
    of account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> [ConnectedApp] {
    try reader.query(Self.allConnectedStatement, [.text(account)]).decode()
  }

  private static let allConnectedStatement = SQLStatement(
    """
    SELECT \(ConnectedApp.columns) FROM app_grants g JOIN apps p ON p.app = g.app
    WHERE g.account = $1 ORDER BY g.created, g.app_grant
    """)

  /// Ends what an account gave to an app, with all tokens; returns false if there is none of that id.
  package func endAppGrant(
    _ id: AppGrantID, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let row = try writer.first(Self.grantStatement, [.text(id), .text(account)])
    guard let grant: AppGrant = try row?.decode(), grant.isOpen(at: now) else { return false }
    try end(grant, by: account, at: now, in: writer)
    return true
  }

  private static let grantStatement = SQLStatement(
    """
    SELECT \(AppGrant.columns) FROM app_grants g WHERE g.app_grant = $1 AND g.account = $2
    """)

  /// Ends a token of an app: a refresh token with its whole family, an access token by itself (RFC 7009).
  ///
  /// A refresh token that was replaced still names its family, so it ends it like the newest one. A token that is
  /// unknown, over, or another app's, changes nothing.
  package func revoke(
    _ token: Secret, of app: AppID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    guard let facts = try appToken(token, in: writer)?.token, facts.grant.app == app,
      facts.expires > now, facts.grant.isOpen(at: now)
    else { return }
    switch facts.kind {
    case .refresh: try end(facts.grant, by: facts.grant.account, at: now, in: writer)
    case .access: try AppGrantStore.delete(token: token.digest, in: writer)
    }
  }

  func end(
    _ grant: AppGrant, by actor: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    guard try AppGrantStore.end(grant.id, at: now, in: writer) else { return }
    auditGrant(.delete, grant, by: actor, at: now, in: writer)
  }

  func auditGrant(
    _ kind: AuditEntry.Kind, _ grant: AppGrant, by actor: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: actor, app: grant.app, kind: kind, patient: grant.patient,
        resource: "AppGrant", resourceID: grant.id.text, purpose: Purpose.care.rawValue))
  }

  // MARK: Launches

  /// Records for whom an account starts an app from a page of this server.
  package func beginLaunch(
    _ secret: Secret, of app: AppID, by account: AccountID, for patient: PatientID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try AppGrantStore.insertLaunch(
      secret.digest, app: app, account: account, patient: patient,
      expires: now.adding(milliseconds: AppLifetimes.launch), in: writer)
  }

  /// Returns the person of a launch that this account began for an app; nil if there is none.
  package func launchPatient(
    _ secret: Secret, of app: AppID, by account: AccountID, at now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> PatientID? {
    try reader.first(
      """
      SELECT patient FROM app_launches
      WHERE digest = $1 AND app = $2 AND account = $3 AND expires > $4
      """, [.blob(secret.digest), .text(app), .text(account), SQLValue(now)]
    )?.value(as: PatientID.self)
  }

  /// Uses up a launch; returns its person, or nil if there is none that this account began for the app.
  package func useLaunch(
    _ secret: Secret, of app: AppID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> PatientID? {
    guard
      let patient = try launchPatient(secret, of: app, by: account, at: now, in: writer),
      try AppGrantStore.deleteLaunch(secret.digest, in: writer)
    else { return nil }
    return patient
  }

  // MARK: Assertions

  /// Records the identifier of an assertion; returns false if the app used it before.
  package func noteAssertion(
    _ id: String, of app: AppID, expires: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try AppGrantStore.insertAssertion(
      Fingerprint.digest(of: Array(id.utf8)), of: app, expires: expires, in: writer)
  }
}
