// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Storage

/// The access with which work goes on after the request that began it, such as an export or a subscription.
///
/// It ends with the session, the token or the access of the app, and what it reaches is decided anew each time.
package struct StandingAccess: Sendable, Hashable {
  /// The session or token of the request, without its secret.
  package let credential: SessionID
  /// True if the request came from a browser.
  let isSession: Bool
  /// The access that a person gave to the app; nil for a person's own credentials.
  package let grant: AppGrantID?
  /// The permissions of the app's token, and the patient for whom the app was started; nil for a person's own
  /// credentials.
  package let app: AppScope?

  /// Creates the access of a person's own token.
  package init(token credential: SessionID) {
    self.init(credential: credential, isSession: false, grant: nil, app: nil)
  }

  init(credential: SessionID, isSession: Bool, grant: AppGrantID?, app: AppScope?) {
    self.credential = credential
    self.isSession = isSession
    self.grant = grant
    self.app = app
  }

  /// The form in which it is stored: the identifier of a token, or an object with everything else.
  package var text: String {
    guard isSession || app != nil else { return credential.text }
    var json: JSONValue = ["credential": .string(credential.text), "session": .bool(isSession)]
    json["grant"] = grant.map { .string($0.text) }
    json["scopes"] = app.map { .string($0.scopes.text) }
    json["patient"] = app?.patient.map { .string($0.text) }
    return json.text
  }

  /// Reads the stored form.
  package init(text: String) {
    guard text.hasPrefix("{"), let json = try? JSONValue(parsing: Array(text.utf8)) else {
      self.init(token: SessionID(text))
      return
    }
    self.init(
      credential: SessionID(json["credential"]?.string ?? ""),
      isSession: json["session"]?.bool ?? false,
      grant: json["grant"]?.string.map { AppGrantID($0) },
      app: json["scopes"]?.string.map { scopes in
        AppScope(
          scopes: SMARTScopes(parsing: scopes),
          patient: json["patient"]?.string.map { PatientID($0) })
      })
  }
}

extension AccountStore {
  /// Returns the access with which work of a request goes on.
  package func standingAccess(
    of signedIn: SignedIn, in reader: any SQLReader
  ) throws(StorageError) -> StandingAccess {
    let app = signedIn.actor.scope.app
    var grant: AppGrantID?
    if app != nil, let digest = signedIn.credential.digest {
      grant = try reader.first(
        "SELECT app_grant FROM app_tokens WHERE digest = $1", [.blob(digest)]
      )?.value(as: AppGrantID.self)
    }
    return StandingAccess(
      credential: signedIn.credential, isSession: signedIn.actor.kind == .session, grant: grant,
      app: app)
  }

  /// Returns the account of a standing access with its present rights; nil if the access has ended.
  package func signedIn(
    _ access: StandingAccess, at now: Timestamp, in reader: any SQLReader
  ) throws -> SignedIn? {
    let found: SignedIn?
    if let grant = access.grant {
      // Without permissions, an app may nothing.
      guard access.app != nil else { return nil }
      found = try signedIn(appGrant: grant, access, at: now, in: reader)
    } else if access.isSession {
      found = try access.credential.digest.flatMap { digest in
        try openSession(digest: digest, at: now, in: reader)?.signedIn
      }
    } else {
      found = try signedIn(token: access.credential, at: now, in: reader)
    }
    guard var found else { return nil }
    if let app = access.app {
      found.actor = Actor(
        accountID: found.account.id, kind: .token, rights: found.actor.rights,
        scope: .app(app.scopes, patient: app.patient))
    }
    return found
  }

  /// Returns the account that gave an app its access, as long as it has it.
  private func signedIn(
    appGrant grant: AppGrantID, _ access: StandingAccess, at now: Timestamp,
    in reader: any SQLReader
  ) throws -> SignedIn? {
    let row = try reader.first(Self.openGrantStatement, [.text(grant), SQLValue(now)])
    guard let row else { return nil }
    let account = try account(from: row.decode())
    let actor = Actor(
      accountID: account.id, kind: .token,
      rights: try rights(of: account.id, at: now, in: reader), scope: .own)
    return SignedIn(
      account: account, actor: actor, credential: access.credential, expires: nil, session: nil,
      used: nil)
  }

  private static let openGrantStatement = SQLStatement(
    """
    SELECT \(AccountRow.columns) FROM app_grants g
      JOIN apps p ON p.app = g.app JOIN accounts a ON a.account = g.account
    WHERE g.app_grant = $1 AND g.ended IS NULL AND g.expires > $2 AND p.state = 'enabled'
    """)

  /// Returns true if an access belongs to an app that acts for itself, whose access is as short as its tokens.
  package func isBackend(
    _ access: StandingAccess, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    guard let grant = access.grant else { return false }
    return try reader.first(
      """
      SELECT 1 FROM app_grants g JOIN apps p ON p.app = g.app
      WHERE g.app_grant = $1 AND p.kind = 'backend'
      """, [.text(grant)]) != nil
  }
}
