// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Storage
import Web

/// Exchanges codes, refresh tokens and assertions for access tokens.
enum TokenEndpoint {
  static let routes: [Route] = [
    AppEndpoint.programs(AppEndpoint.token, answer),
    AppEndpoint.programs(AppEndpoint.introspect, introspect),
    AppEndpoint.programs(AppEndpoint.revoke, revoke),
  ]

  /// The lifetime of the access token of a backend service, in milliseconds.
  private static let backendLifetime: Int64 = 300_000

  @Sendable private static func answer(_ call: Call, _ form: FormBody) async throws -> Response {
    guard let type = form.text("grant_type") else {
      throw OAuthFailure(.invalidRequest, "Send grant_type.")
    }
    guard ["authorization_code", "refresh_token", "client_credentials"].contains(type) else {
      throw OAuthFailure(
        .unsupportedGrantType, "Use authorization_code, refresh_token or client_credentials.")
    }
    let app = try await AppAuthentication.app(call, form)
    guard (app.kind == .backend) == (type == "client_credentials") else {
      throw OAuthFailure(.unauthorizedClient, "This kind of app cannot use \(type).")
    }
    switch type {
    case "authorization_code": return try await redeem(call, form, app)
    case "refresh_token": return try await refresh(call, form, app)
    default: return try await issue(call, form, app)
    }
  }

  private static func redeem(_ call: Call, _ form: FormBody, _ app: App) async throws -> Response {
    guard let code = form.raw("code"), let redirect = form.raw("redirect_uri"),
      let verifier = form.raw("code_verifier")
    else {
      throw OAuthFailure(.invalidRequest, "Send code, redirect_uri and code_verifier.")
    }
    let key = try await key(call, app)
    let (accounts, now, random) = (call.environment.accounts, call.now, call.environment.random)
    let result = try await call.environment.database.write { writer in
      try accounts.redeem(
        code: Secret(text: code), of: app.id, redirect: redirect, verifier: verifier, key: key,
        random: random, at: now, in: writer)
    }
    return try await tokens(try accept(result, call), call, app)
  }

  private static func refresh(_ call: Call, _ form: FormBody, _ app: App) async throws -> Response {
    guard let token = form.raw("refresh_token") else {
      throw OAuthFailure(.invalidRequest, "Send refresh_token.")
    }
    let scopes = form.text("scope").map { SMARTScopes(parsing: $0) }
    let key = try await key(call, app)
    let (accounts, now, random) = (call.environment.accounts, call.now, call.environment.random)
    let result = try await call.environment.database.write { writer in
      try accounts.refresh(
        Secret(text: token), of: app.id, scopes: scopes, key: key, random: random, at: now,
        in: writer)
    }
    return try await tokens(try accept(result, call), call, app)
  }

  /// Answers a backend service, which acts in the name of the account that the operator chose.
  private static func issue(_ call: Call, _ form: FormBody, _ app: App) async throws -> Response {
    guard let account = app.account, app.hasKeys else {
      throw OAuthFailure(.unauthorizedClient, "The app has no account or no keys.")
    }
    let wanted = SMARTScopes(parsing: form.text("scope") ?? "")
    guard !wanted.grants.isEmpty, wanted.refused.isEmpty, wanted.isSubset(of: app.scopes) else {
      throw OAuthFailure(.invalidScope, "Ask for registered system scopes.")
    }
    let key = try await key(call, app)
    let grant = AppGrant(
      id: call.environment.newID(), app: app.id, account: account, patient: nil, scopes: wanted,
      created: call.now, expires: call.now.adding(milliseconds: backendLifetime))
    let (accounts, now, random) = (call.environment.accounts, call.now, call.environment.random)
    let issued = try await call.environment.database.write { writer in
      try accounts.issue(backend: grant, key: key, random: random, at: now, in: writer)
    }
    return try await tokens(issued, call, app)
  }

  /// Returns the key to which an app wants its tokens to be bound; nil if it sent no proof of one (RFC 9449).
  private static func key(_ call: Call, _ app: App) async throws -> TokenKey? {
    let sent: KeyProof?
    do throws(KeyProofError) {
      sent = try await call.keyProof(for: nil)
    } catch {
      throw OAuthFailure(.invalidDPoPProof, "The proof was refused: \(error.rawValue).")
    }
    guard let proof = sent else { return nil }
    let accounts = call.environment.accounts
    let isNew = try await call.environment.database.write { writer in
      try accounts.noteAssertion(
        "dpop\n\(proof.use)", of: app.id, expires: proof.expires, in: writer)
    }
    guard isNew else {
      throw OAuthFailure(.invalidDPoPProof, "The proof was refused: replayed.")
    }
    return TokenKey(thumbprint: proof.thumbprint, bindsRefresh: app.kind == .open)
  }

  private static func tokenType(_ key: String?) -> JSONValue { key == nil ? "Bearer" : "DPoP" }

  private static func accept(
    _ result: Result<IssuedAppTokens, AppTokenRefusal>, _ call: Call
  ) throws -> IssuedAppTokens {
    switch result {
    case .success(let issued): return issued
    case .failure(let refusal):
      // A code or refresh token that came twice has ended its tokens. Success ends none, and clearing the cache
      // each time would slow everyone down.
      call.environment.sessions.forget()
      throw refusal.oauth
    }
  }

  private static func tokens(
    _ issued: IssuedAppTokens, _ call: Call, _ app: App
  ) async throws -> Response {
    var answer = JSONObject()
    answer["access_token"] = .string(issued.access.text)
    answer["token_type"] = tokenType(issued.keyThumbprint)
    let seconds = (issued.expires.milliseconds - call.now.milliseconds) / 1000
    answer["expires_in"] = .number(JSONNumber(seconds))
    answer["scope"] = .string(issued.scopes.text)
    answer["refresh_token"] = issued.refresh.map { .string($0.text) }
    if app.kind != .backend {
      answer["patient"] = issued.grant.patient.map { .string($0.text) }
      answer["need_patient_banner"] = true
      answer["smart_style_url"] = .string(call.baseURL + AppEndpoint.style)
    }
    if issued.request != nil, issued.grant.scopes.launch.contains(.openID) {
      answer["id_token"] = .string(try await idToken(issued, call))
    }
    return JSONResponse.make(.object(answer))
  }

  /// Returns the token that tells an app who signed in.
  private static func idToken(_ issued: IssuedAppTokens, _ call: Call) async throws -> String {
    let grant = issued.grant
    let (accounts, now, random) = (call.environment.accounts, call.now, call.environment.random)
    let (key, account) = try await call.environment.database.write { writer in
      (
        try accounts.signingKey(random: random, at: now, in: writer),
        try accounts.account(grant.account, in: writer)
      )
    }
    let seconds = now.milliseconds / 1000
    var claims = JSONObject()
    claims["iss"] = .string(call.baseURL)
    claims["sub"] = .string(grant.account.text)
    claims["aud"] = .string(grant.app.text)
    claims["iat"] = .number(JSONNumber(seconds))
    claims["exp"] = .number(JSONNumber(seconds + AppLifetimes.access / 1000))
    claims["auth_time"] = issued.request.map {
      .number(JSONNumber($0.proved.milliseconds / 1000))
    }
    claims["nonce"] = issued.request?.nonce.map { .string($0) }
    if let account, grant.scopes.launch.contains(.fhirUser) {
      claims["fhirUser"] = .string("\(call.fhirBase)/Patient/\(account.patient)")
    }
    if let account, grant.scopes.launch.contains(.profile) {
      claims["profile"] = .string("\(call.fhirBase)/Patient/\(account.patient)")
      claims["name"] = .string(account.displayName)
    }
    return try key.sign(.object(claims))
  }

  // MARK: Introspection and revocation

  /// Describes a token to the app that it belongs to; any other token is inactive (RFC 7662).
  @Sendable private static func introspect(
    _ call: Call, _ form: FormBody
  ) async throws -> Response {
    let app = try await AppAuthentication.app(call, form)
    guard let token = form.raw("token") else {
      throw OAuthFailure(.invalidRequest, "Send token.")
    }
    let (accounts, now) = (call.environment.accounts, call.now)
    let facts = try await call.environment.database.read { reader in
      try accounts.facts(aboutAppToken: Secret(text: token), at: now, in: reader)
    }
    guard let facts, facts.grant.app == app.id else { return JSONResponse.make(["active": false]) }
    var answer = JSONObject()
    answer["active"] = true
    answer["scope"] = .string(facts.scopes.text)
    answer["client_id"] = .string(app.id.text)
    answer["sub"] = .string(facts.grant.account.text)
    answer["iss"] = .string(call.baseURL)
    if facts.kind == .access { answer["token_type"] = tokenType(facts.keyThumbprint) }
    answer["cnf"] = facts.keyThumbprint.map { ["jkt": .string($0)] }
    answer["iat"] = .number(JSONNumber(facts.created.milliseconds / 1000))
    answer["exp"] = .number(JSONNumber(facts.expires.milliseconds / 1000))
    answer["patient"] = facts.grant.patient.map { .string($0.text) }
    return JSONResponse.make(.object(answer))
  }

  /// Ends a token; the answer is the same for tokens that never existed (RFC 7009).
  @Sendable private static func revoke(_ call: Call, _ form: FormBody) async throws -> Response {
    let app = try await AppAuthentication.app(call, form)
    guard let token = form.raw("token") else {
      throw OAuthFailure(.invalidRequest, "Send token.")
    }
    let (accounts, now) = (call.environment.accounts, call.now)
    try await call.environment.database.write { writer in
      try accounts.revoke(Secret(text: token), of: app.id, at: now, in: writer)
    }
    call.environment.sessions.forget()
    return Response(status: .ok, headers: [.cacheControl: "no-store"])
  }
}
