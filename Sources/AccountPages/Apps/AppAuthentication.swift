// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import HTTPTypes
import Hummingbird
import Identifiers
import Storage
import Web

/// Finds out which app calls, and whether it proved it.
enum AppAuthentication {
  /// The proof that a request carries.
  private enum Proof {
    case none
    case secret(Secret)
    case assertion(String)
  }

  private static let refused = OAuthFailure(
    .invalidClient, "The app is unknown, not enabled, or did not prove who it is.")

  /// Returns the app that sends a request.
  ///
  /// Attempts are counted by network, and for each app together, so that no one can lock an app out.
  static func app(_ call: Call, _ form: FormBody) async throws -> App {
    let (id, proof) = try claim(call, form)
    let environment = call.environment
    let accounts = environment.accounts
    let buckets: [SignInThrottle.Bucket] =
      [call.clientNetwork].compactMap(\.self).map {
        .origin(accounts.attemptKey("app-network", $0))
      }
      + [.everywhere(accounts.attemptKey("app", id.text))]
    try await environment.codeThrottle.admit(buckets, at: call.now)
    let found = try await environment.database.read { try accounts.app(id, in: $0) }
    guard let app = found, app.state == .enabled else { throw refused }
    try await check(proof, of: app, call)
    try await environment.codeThrottle.succeeded(buckets)
    return app
  }

  private static func check(_ proof: Proof, of app: App, _ call: Call) async throws {
    switch proof {
    case .none:
      guard app.kind == .open else { throw refused }
    case .secret(let secret):
      guard app.kind == .confidential, app.hasSecret(secret) else { throw refused }
    case .assertion(let token):
      guard app.kind != .open, let keys = try await keys(of: app, for: token, call) else {
        throw refused
      }
      let assertion: ClientAssertion
      do {
        assertion = try await ClientAssertion(
          token, of: app.id, keys: keys,
          audiences: [call.baseURL + AppEndpoint.token, call.baseURL], now: call.now)
      } catch {
        throw refused
      }
      let accounts = call.environment.accounts
      let isNew = try await call.environment.database.write { writer in
        try accounts.noteAssertion(
          assertion.id, of: app.id, expires: assertion.expires, in: writer)
      }
      guard isNew else { throw refused }
    }
  }

  /// Returns the public keys of an app for an assertion; nil if it has none that can be read.
  private static func keys(
    of app: App, for token: String, _ call: Call
  ) async throws -> SigningKeys? {
    if let text = app.keySet {
      return try? SigningKeys(JSONValue(parsing: Array(text.utf8)))
    }
    guard let address = app.keySetAddress else { return nil }
    let document = try? await call.environment.appKeyNetwork.keySet(
      at: address, with: ClientAssertion.claimedKey(token), now: call.now)
    return document.flatMap { SigningKeys($0) }
  }

  /// Returns the app that a request names, with its proof; more than one proof is an error.
  private static func claim(_ call: Call, _ form: FormBody) throws -> (AppID, Proof) {
    var claims: [(AppID, Proof)] = []
    if let header = call.request.headers[.authorization] {
      guard let (id, secret) = basic(header) else { throw refused }
      claims.append((id, .secret(secret)))
    }
    if let secret = form.raw("client_secret"), let id = form.text("client_id") {
      claims.append((AppID(id), .secret(Secret(text: secret))))
    }
    if let token = form.raw("client_assertion") {
      guard form.raw("client_assertion_type") == ClientAssertion.type,
        let id = ClientAssertion.claimedApp(token)
      else { throw refused }
      claims.append((id, .assertion(token)))
    }
    let named = form.text("client_id").map { AppID($0) }
    if claims.isEmpty, let named { claims.append((named, .none)) }
    guard claims.count <= 1 else {
      throw OAuthFailure(.invalidRequest, "Authenticate the app in one way only.")
    }
    guard let claim = claims.first, claim.0.text.utf8.count <= 200,
      named.map({ $0 == claim.0 }) ?? true
    else { throw refused }
    return claim
  }

  /// Reads the id and secret of HTTP Basic, each percent-encoded.
  private static func basic(_ header: String) -> (AppID, Secret)? {
    guard header.utf8.count < 1024, header.lowercased().hasPrefix("basic "),
      let data = Data(base64Encoded: String(header.dropFirst(6))),
      let text = String(validating: data, as: UTF8.self)
    else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let id = String(parts[0]).removingPercentEncoding,
      let secret = String(parts[1]).removingPercentEncoding
    else { return nil }
    return (AppID(id), Secret(text: secret))
  }
}
