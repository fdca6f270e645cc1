// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Web

/// A person with a browser and a registered app, and the requests of both.
struct AppHouse: Sendable {
  static let redirect = "https://app.example.org/return"
  static let verifier = String(repeating: "v", count: 50)
  static let scopes =
    "openid fhirUser launch launch/patient offline_access patient/*.rs patient/Observation.cruds"

  let harness: ServerHarness
  let account: Account
  let browser: Browser
  let app: String
  let secret: String?

  init(_ harness: ServerHarness, kind: App.Kind = .open, name: String = "Ann") async throws {
    self.harness = harness
    account = try await harness.makeAccount(name)
    browser = try await harness.session(of: account)
    var registration = AppRegistration(
      name: "Tracker", kind: kind, redirects: [Self.redirect], scopes: Self.scopes)
    registration.addresses = AppAddresses(
      launch: "https://app.example.org/launch", logo: "https://pictures.example.org/logo.png",
      policy: "https://app.example.org/privacy", terms: "https://app.example.org/terms")
    let lines = try await Administration(environment: harness.environment)
      .perform(AdministrationCommand.app(.add(registration, email: nil))).split(separator: "\n")
    app = String(try #require(lines.first).dropFirst("client_id ".count))
    secret = lines.count > 1 ? String(lines[1].dropFirst("client_secret ".count)) : nil
  }

  static var challenge: String {
    Base64URL.encode(Fingerprint.digest(of: Array(verifier.utf8)))
  }

  /// The parameters of a request; a change with nil removes one.
  func fields(_ changes: [String: String?] = [:]) -> [(String, String)] {
    var fields: [String: String] = [
      "response_type": "code", "client_id": app, "redirect_uri": Self.redirect, "state": "s-1",
      "scope": "openid fhirUser launch/patient offline_access patient/*.rs",
      "aud": "http://localhost/fhir", "code_challenge": Self.challenge,
      "code_challenge_method": "S256", "nonce": "n-1",
    ]
    for (name, value) in changes { fields[name] = value }
    return fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func authorize(_ changes: [String: String?] = [:]) async throws -> TestResponse {
    try await browser.open("/oauth/authorize?" + QueryText.encode(fields(changes)))
  }

  /// Posts the decision of the person.
  func decide(
    _ changes: [String: String?] = [:], allowed: [String] = ["patient/*.rs"],
    more: [(String, String)] = [("days", "30")], answer: String = "allow"
  ) async throws -> TestResponse {
    try await browser.submitForm(
      "/oauth/consent",
      fields(changes) + allowed.map { ("allowed", $0) }
        + [("whose", account.patient.text), ("answer", answer)] + more)
  }

  /// Returns the parameters with which the person goes back to the app.
  static func answer(_ response: TestResponse) throws -> [String: String] {
    let location = try #require(response.headers[.location], "\(response.text.prefix(2000))")
    let parts = try #require(URLComponents(string: location))
    #expect(location.hasPrefix(redirect))
    return Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
  }

  /// Lets the person agree and returns the code.
  func code(_ changes: [String: String?] = [:]) async throws -> String {
    try #require(try Self.answer(try await decide(changes))["code"])
  }

  /// Posts to an endpoint as the app.
  func post(
    _ path: String, _ fields: [(String, String)], as client: String? = nil
  ) async throws -> TestResponse {
    var fields = fields + [("client_id", client ?? app)]
    if let secret { fields.append(("client_secret", secret)) }
    return try await harness.submit(path, fields)
  }

  func exchange(
    _ code: String, verifier: String = AppHouse.verifier, redirect: String = AppHouse.redirect,
    as client: String? = nil
  ) async throws -> TestResponse {
    try await post(
      "/oauth/token",
      [
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
        ("code_verifier", verifier),
      ], as: client)
  }

  func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }
}
