// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The tokens that an app gets, shown once.
package struct IssuedAppTokens: Sendable, Hashable {
  /// The grant that they belong to.
  package let grant: AppGrant
  /// The permissions of the access token.
  package let scopes: SMARTScopes
  /// The access token.
  package let access: Secret
  /// The end of the access token.
  package let expires: Timestamp
  /// The refresh token; nil without offline access.
  package let refresh: Secret?
  /// The facts of the request of a code; nil after a refresh.
  package let request: AppCodeRequest?
  /// The key to which the access token is bound, by its thumbprint; nil for a bearer token.
  package let keyThumbprint: String?
}

/// A reason why an app gets no tokens, as OAuth names it.
package enum AppTokenRefusal: String, Error, Sendable, Hashable {
  /// The code or token is unknown, used, ended, or another app's.
  case grant = "invalid_grant"
  /// More was asked for than the person allowed.
  case scope = "invalid_scope"
}

/// The facts about a token that an app may ask for.
package struct AppTokenFacts: Sendable, Hashable {
  /// The kind of token.
  package let kind: AppTokenKind
  /// The grant that it belongs to.
  package let grant: AppGrant
  /// The permissions of the token.
  package let scopes: SMARTScopes
  /// The time at which it was created.
  package let created: Timestamp
  /// The end of the token.
  package let expires: Timestamp
  /// The key to which the token is bound, by its thumbprint; nil for none.
  package let keyThumbprint: String?
}

extension Secret {
  /// The prefix of an app's access token.
  package static let appTokenPrefix = "rga_"
  /// The prefix of an app's refresh token.
  package static let appRefreshPrefix = "rgr_"
  /// The prefix of a code for an app.
  package static let appCodePrefix = "rgc_"
  /// The prefix of the context of a launch.
  package static let appLaunchPrefix = "rgl_"
  /// The prefix of an app's own secret.
  package static let appSecretPrefix = "rgk_"
}

/// Codes and tokens of apps, each stored as a digest.
extension AccountStore {
  /// Records what a person gave to an app, with the code that the app exchanges.
  package func grant(
    _ grant: AppGrant, code: Secret, for request: AppCodeRequest, in writer: any SQLWriter
  ) throws(StorageError) {
    try AppGrantStore.insert(grant, in: writer)
    try AppGrantStore.insert(
      NewAppCodeRow(
        digest: code.digest, grant: grant.id, request: request,
        expires: grant.created.adding(milliseconds: AppLifetimes.code)), in: writer)
    auditGrant(.create, grant, by: grant.account, at: grant.created, in: writer)
  }

  /// Exchanges a code for tokens.
  ///
  /// A code that comes back a second time ends the grant, because someone else may have used it first.
  ///
  /// - Parameter key: The key to which the tokens are bound; nil for none.
  package func redeem(
    code: Secret, of app: AppID, redirect: String, verifier: String, key: TokenKey? = nil,
    random: RandomBytes, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Result<IssuedAppTokens, AppTokenRefusal> {
    guard let row = try writer.first(Self.codeStatement, [.blob(code.digest)]) else {
      return .failure(.grant)
    }
    let grant: AppGrant = try row.decode()
    let found = row.read(AppCodeRow.self, after: AppGrant.self)
    guard grant.app == app else { return .failure(.grant) }
    guard try found.optionalTimestamp(.used) == nil else {
      try end(grant, by: grant.account, at: now, in: writer)
      return .failure(.grant)
    }
    let request = AppCodeRequest(
      challenge: try found.text(.challenge), redirect: try found.text(.redirect),
      nonce: try found.optionalText(.nonce), proved: try found.timestamp(.proved),
      keyThumbprint: try found.optionalText(.keyThumbprint))
    guard try found.timestamp(.expires) > now, grant.isOpen(at: now),
      request.redirect == redirect,
      request.keyThumbprint == nil || request.keyThumbprint == key?.thumbprint,
      AppCodeRequest.isVerifier(verifier, of: request.challenge),
      try AppGrantStore.use(code: code.digest, at: now, in: writer)
    else { return .failure(.grant) }
    return .success(
      try issue(
        grant, grant.scopes, request: request, key: key, random: random, at: now, in: writer))
  }

  private static let codeStatement = SQLStatement(
    """
    SELECT \(AppGrant.columns), \(AppCodeRow.columns)
    FROM app_codes c JOIN app_grants g ON g.app_grant = c.app_grant WHERE c.digest = $1
    """)

  /// Exchanges a refresh token for new tokens; the old one no longer works.
  ///
  /// A refresh token that comes back after it was replaced ends the whole family. One that is bound to a key does
  /// nothing without it, so that a thief cannot end the family either.
  ///
  /// - Parameters:
  ///   - scopes: What the access token should be limited to; nil for everything.
  ///   - key: The key that the app proved to have; nil for none.
  package func refresh(
    _ token: Secret, of app: AppID, scopes: SMARTScopes?, key: TokenKey? = nil,
    random: RandomBytes, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Result<IssuedAppTokens, AppTokenRefusal> {
    guard let facts = try appToken(token, in: writer), facts.token.kind == .refresh,
      facts.token.grant.app == app
    else { return .failure(.grant) }
    let grant = facts.token.grant
    if let bound = facts.token.keyThumbprint, bound != key?.thumbprint { return .failure(.grant) }
    guard !facts.isRotated else {
      try end(grant, by: grant.account, at: now, in: writer)
      return .failure(.grant)
    }
    guard facts.token.expires > now, grant.isOpen(at: now) else { return .failure(.grant) }
    let wanted = scopes ?? grant.scopes
    guard wanted.refused.isEmpty, wanted.isSubset(of: grant.scopes) else {
      return .failure(.scope)
    }
    guard try AppGrantStore.rotate(token.digest, at: now, in: writer) else {
      return .failure(.grant)
    }
    return .success(
      try issue(grant, wanted, request: nil, key: key, random: random, at: now, in: writer))
  }

  /// Gives a backend service an access token in its own right.
  package func issue(
    backend grant: AppGrant, key: TokenKey? = nil, random: RandomBytes, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> IssuedAppTokens {
    try AppGrantStore.insert(grant, in: writer)
    return try issue(
      grant, grant.scopes, request: nil, key: key, random: random, at: now, in: writer)
  }

  private func issue(
    _ grant: AppGrant, _ scopes: SMARTScopes, request: AppCodeRequest?, key: TokenKey?,
    random: RandomBytes, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> IssuedAppTokens {
    let access = Secret(prefix: Secret.appTokenPrefix, random: random)
    let expires = min(grant.expires, now.adding(milliseconds: AppLifetimes.access))
    try AppGrantStore.insert(
      NewAppTokenRow(
        digest: access.digest, grant: grant.id, kind: .access, scopes: scopes.text, created: now,
        expires: expires, keyThumbprint: key?.thumbprint), in: writer)
    var refresh: Secret?
    if grant.scopes.launch.contains(.offlineAccess) {
      let secret = Secret(prefix: Secret.appRefreshPrefix, random: random)
      try AppGrantStore.insert(
        NewAppTokenRow(
          digest: secret.digest, grant: grant.id, kind: .refresh, scopes: grant.scopes.text,
          created: now, expires: grant.expires,
          keyThumbprint: key?.bindsRefresh == true ? key?.thumbprint : nil), in: writer)
      refresh = secret
    }
    return IssuedAppTokens(
      grant: grant, scopes: scopes, access: access, expires: expires, refresh: refresh,
      request: request, keyThumbprint: key?.thumbprint)
  }

  // MARK: Looking up

  /// Returns the account of an app's access token, limited to what was granted; nil if it does not work.
  func signedIn(
    appToken secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> SignedIn? {
    let row = try reader.first(
      Self.openAppTokenStatement, [.blob(secret.digest), SQLValue(now)])
    guard let row else { return nil }
    let token = row.read(OpenAppTokenRow.self, after: AccountRow.self)
    let account = try account(from: row.decode())
    let patient: PatientID? = try token.optionalID(.patient)
    let app: AppID = try token.id(.app)
    let actor = Actor(
      accountID: account.id, kind: .token,
      rights: try rights(of: account.id, at: now, in: reader),
      scope: .app(SMARTScopes(parsing: try token.text(.scopes)), patient: patient, of: app))
    return SignedIn(
      account: account, actor: actor, credential: SessionID(secret),
      expires: try token.timestamp(.expires), session: nil,
      used: try token.optionalTimestamp(.used),
      keyThumbprint: try token.optionalText(.keyThumbprint))
  }

  private static let openAppTokenStatement = SQLStatement(
    """
    SELECT \(AccountRow.columns), \(OpenAppTokenRow.columns)
    FROM app_tokens t JOIN app_grants g ON g.app_grant = t.app_grant
      JOIN apps p ON p.app = g.app JOIN accounts a ON a.account = g.account
    WHERE t.digest = $1 AND t.kind = 'access' AND t.expires > $2
      AND g.ended IS NULL AND g.expires > $2 AND p.state = 'enabled'
    """)

  /// Returns the facts about a token that works; nil for any other.
  package func facts(
    aboutAppToken secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> AppTokenFacts? {
    guard let found = try appToken(secret, in: reader), !found.isRotated,
      found.token.expires > now, found.token.grant.isOpen(at: now)
    else { return nil }
    return found.token
  }

  /// Returns the facts about a token of an app, with whether it was replaced; nil if there is none.
  func appToken(
    _ secret: Secret, in reader: any SQLReader
  ) throws(StorageError) -> (token: AppTokenFacts, isRotated: Bool)? {
    guard let row = try reader.first(Self.appTokenStatement, [.blob(secret.digest)]) else {
      return nil
    }
    let found = row.read(AppTokenRow.self, after: AppGrant.self)
    let token = AppTokenFacts(
      kind: try found.named(.kind), grant: try row.decode(),
      scopes: SMARTScopes(parsing: try found.text(.scopes)),
      created: try found.timestamp(.created), expires: try found.timestamp(.expires),
      keyThumbprint: try found.optionalText(.keyThumbprint))
    return (token, try found.optionalTimestamp(.rotated) != nil)
  }

  private static let appTokenStatement = SQLStatement(
    """
    SELECT \(AppGrant.columns), \(AppTokenRow.columns)
    FROM app_tokens t JOIN app_grants g ON g.app_grant = t.app_grant WHERE t.digest = $1
    """)
}
