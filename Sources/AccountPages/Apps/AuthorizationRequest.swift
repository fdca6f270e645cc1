// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage
import Web

/// An app's request for access, checked as far as that is possible without the person.
struct AuthorizationRequest: Sendable {
  /// The app and the address to which the person goes back.
  struct Target: Sendable {
    let app: App
    let redirect: String
    let state: String?
  }

  let target: Target
  /// The most access that the app can get.
  let scopes: SMARTScopes
  let challenge: String
  let nonce: String?
  /// The key with which alone the code can be exchanged (RFC 9449 section 10); nil for any.
  let keyThumbprint: String?
  /// The demands on the sign-in of the person.
  let demand: LoginDemand
  /// The context of a launch from a page of this server; nil for an app that starts itself.
  let launch: Secret?
  /// The parameters as they were sent, for the consent page.
  let fields: [FormPair]

  var app: App { target.app }

  /// The parameters that the consent page passes on.
  private static let names: Set<String> = [
    "aud", "client_id", "code_challenge", "code_challenge_method", "dpop_jkt", "launch", "max_age",
    "nonce", "prompt", LoginDemand.markField, "redirect_uri", "response_type", "scope", "state",
  ]

  private static let longestState = 1000

  /// Finds the app and its redirect address.
  ///
  /// Throws ``OAuthFailure``, which must be shown on a page: the address is not known to be the app's.
  static func target(_ fields: [FormPair], _ call: Call) async throws -> Target {
    if let name = AppEndpoint.repeated(in: fields) {
      throw OAuthFailure(.invalidRequest, "\(name) was sent more than once.")
    }
    guard let id = value("client_id", in: fields), let redirect = value("redirect_uri", in: fields)
    else { throw OAuthFailure(.invalidRequest, "client_id or redirect_uri is missing.") }
    let accounts = call.environment.accounts
    let app = try await call.environment.database.read { try accounts.app(AppID(id), in: $0) }
    guard let app, app.state == .enabled, app.kind != .backend else {
      throw OAuthFailure(.unauthorizedClient, "The app is unknown or not enabled.")
    }
    guard app.redirects.contains(redirect) else {
      throw OAuthFailure(.invalidRedirect, "redirect_uri is not registered.")
    }
    let state = value("state", in: fields)
    guard state?.utf8.count ?? 0 <= longestState else {
      throw OAuthFailure(.invalidRequest, "state is too long.")
    }
    return Target(app: app, redirect: redirect, state: state)
  }

  /// Reads the rest of a request; the app learns what is wrong with it.
  init(_ target: Target, _ fields: [FormPair], fhirBase: String) throws(OAuthFailure) {
    func value(_ name: String) -> String? { Self.value(name, in: fields) }
    guard value("response_type") == "code" else {
      throw OAuthFailure(.unsupportedResponseType, "response_type must be code.")
    }
    guard let challenge = value("code_challenge"), value("code_challenge_method") == "S256",
      AppCodeRequest.isChallenge(challenge)
    else {
      throw OAuthFailure(.invalidRequest, "Use PKCE with code_challenge_method S256.")
    }
    guard let audience = value("aud"), audience == fhirBase || audience == fhirBase + "/" else {
      throw OAuthFailure(.invalidRequest, "aud must be \(fhirBase).")
    }
    guard value("nonce")?.utf8.count ?? 0 <= Self.longestState else {
      throw OAuthFailure(.invalidRequest, "nonce is too long.")
    }
    let asked = SMARTScopes(parsing: value("scope") ?? "")
    let scopes = asked.narrowed(to: target.app.scopes).only([.patient, .user])
    guard !scopes.isEmpty else {
      throw OAuthFailure(.invalidScope, "The app may not ask for any of these scopes.")
    }
    let launch = value("launch")
    guard launch == nil || scopes.launch.contains(.launch) else {
      throw OAuthFailure(.invalidScope, "launch needs the scope launch.")
    }
    guard launch != nil || !scopes.launch.contains(.launch) else {
      throw OAuthFailure(.invalidRequest, "The scope launch needs the parameter launch.")
    }
    keyThumbprint = value("dpop_jkt")
    guard keyThumbprint.map(AppCodeRequest.isChallenge) ?? true else {
      throw OAuthFailure(.invalidRequest, "dpop_jkt must be the thumbprint of a key.")
    }
    demand = try LoginDemand(fields)
    self.target = target
    self.scopes = scopes
    self.challenge = challenge
    nonce = value("nonce")
    self.launch = launch.map { Secret(text: $0) }
    self.fields = fields.filter { Self.names.contains($0.name) }
  }

  /// The parameters that came from the app.
  var sent: [(String, String)] {
    fields.filter { $0.name != LoginDemand.markField }.map { ($0.name, $0.value) }
  }

  /// Returns the time at which the app asked, as this server noted it; nil if it did not.
  func asked(_ call: Call) -> Timestamp? {
    LoginDemand.time(
      in: Self.value(LoginDemand.markField, in: fields), challenge: challenge,
      cipher: call.environment.accounts.cipher, now: call.now)
  }

  /// Returns a parameter; nil if it is missing or empty.
  static func value(_ name: String, in fields: [FormPair]) -> String? {
    fields.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// True if the app needs to know for which person it is started.
  var needsPerson: Bool {
    scopes.launch.contains(.launchPatient) || scopes.launch.contains(.launch)
      || scopes.grants.contains { $0.context == .patient }
  }

  /// True if the app asks to learn who signed in.
  var asksWho: Bool {
    !scopes.launch.isDisjoint(with: [.openID, .fhirUser, .profile])
  }
}

extension AuthorizationRequest.Target {
  /// Returns the address with an answer for the app.
  func address(_ fields: [(String, String)], issuer: String) -> String {
    QueryText.address(
      redirect, fields + (state.map { [("state", $0)] } ?? []) + [("iss", issuer)])
  }

  /// Returns the address with a refusal.
  func address(_ failure: OAuthFailure, issuer: String) -> String {
    address(
      [("error", failure.code.rawValue), ("error_description", failure.detail)], issuer: issuer)
  }
}
