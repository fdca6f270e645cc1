// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The systems that may ask for decision support, and their sign-in by signed tokens.
extension AccountStore {
  private static let clientResource = "CDSClient"

  /// Adds a system, or replaces the keys and rights of the one with its issuer.
  package func putCDSClient(
    _ client: CDSClient, by actor: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let isKnown = try cdsClient(client.issuer, in: writer) != nil
    try CDSClientStore.put(client, in: writer)
    auditClient(isKnown ? .update : .create, client.issuer, by: actor, at: now, in: writer)
  }

  /// Returns every system, by issuer.
  package func cdsClients(in reader: any SQLReader) throws(StorageError) -> [CDSClient] {
    try reader.query(Self.clientsStatement, []).decode()
  }

  private static let clientsStatement = SQLStatement(
    "SELECT \(CDSClient.columns) FROM cds_clients ORDER BY issuer")

  /// Lets a system ask, or keeps it from asking.
  ///
  /// Throws ``CDSClientError/unknown`` if no system has the issuer.
  package func enableCDSClient(
    _ issuer: String, _ isEnabled: Bool, by actor: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    guard try CDSClientStore.set(enabled: isEnabled, of: issuer, in: writer) else {
      throw CDSClientError.unknown
    }
    auditClient(.update, issuer, by: actor, at: now, in: writer)
  }

  /// Removes a system.
  ///
  /// Throws ``CDSClientError/unknown`` if no system has the issuer.
  package func removeCDSClient(
    _ issuer: String, by actor: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard try CDSClientStore.delete(issuer, in: writer) else { throw CDSClientError.unknown }
    auditClient(.delete, issuer, by: actor, at: now, in: writer)
  }

  /// Returns the account of a system's token, which is then used up.
  ///
  /// - Parameter addresses: The addresses that the token may be for.
  /// - Throws: ``CDSTokenError`` if the token is not accepted.
  package func signedIn(
    cds text: String, for addresses: Set<String>, at now: Timestamp, in database: Database
  ) async throws -> SignedIn {
    let token = try CDSToken(text)
    let found = try await database.read { reader in
      try cdsClient(token.issuer, in: reader)
    }
    guard let found, found.isEnabled, let keys = found.keys else { throw CDSTokenError.issuer }
    let use = try await token.check(keys, for: addresses, at: now)
    return try await database.write { writer in
      // It may have been removed, or its keys replaced, meanwhile.
      guard let client = try cdsClient(token.issuer, in: writer), client.isEnabled,
        client.keySet == found.keySet, let account = try account(client.account, in: writer)
      else { throw CDSTokenError.issuer }
      guard try CDSClientStore.use(token: use.digest, until: use.until, at: now, in: writer) else {
        throw CDSTokenError.replayed
      }
      try CDSClientStore.touch(client.issuer, at: now, in: writer)
      let actor = Actor(
        accountID: account.id, kind: .token,
        rights: try rights(of: account.id, at: now, in: writer),
        scope: client.reachesEveryPatient ? .system : .reading)
      return SignedIn(
        account: account, actor: actor.withoutEmergencies,
        credential: SessionID(digest: use.digest), expires: use.until, session: nil, used: now)
    }
  }

  private func cdsClient(
    _ issuer: String, in reader: any SQLReader
  ) throws(StorageError) -> CDSClient? {
    try reader.first(Self.clientStatement, [.text(issuer)])?.decode()
  }

  private static let clientStatement = SQLStatement(
    "SELECT \(CDSClient.columns) FROM cds_clients WHERE issuer = $1")

  private func auditClient(
    _ kind: AuditEntry.Kind, _ issuer: String, by actor: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: actor, kind: kind, patient: nil, resource: Self.clientResource,
        resourceID: issuer, purpose: Purpose.administration.rawValue))
  }
}
