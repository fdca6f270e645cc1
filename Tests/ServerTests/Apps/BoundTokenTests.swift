// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Encodings
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Web

/// A key of an app, with which it proves that a token is its own.
private struct AppKey: Sendable {
  let key = P256.Signing.PrivateKey()

  private var publicKey: JSONValue {
    let point = Array(key.publicKey.rawRepresentation)
    return [
      "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(point.prefix(32))),
      "y": .string(Base64URL.encode(point.suffix(32))),
    ]
  }

  /// Returns the name of the key as the server calculates it.
  func thumbprint(_ harness: ServerHarness) async throws -> String {
    try await KeyProof(
      try proof(harness, "GET", "/x"), method: "GET", address: "http://localhost/x", token: nil,
      now: harness.clock.now
    ).thumbprint
  }

  /// Returns a proof for one request to `http://localhost`.
  func proof(
    _ harness: ServerHarness, _ method: String, _ path: String, token: String? = nil,
    id: String = UUID().uuidString
  ) throws -> String {
    let header: JSONValue = ["typ": "dpop+jwt", "alg": "ES256", "jwk": publicKey]
    var claims: JSONValue = [
      "htm": .string(method), "htu": .string("http://localhost\(path)"), "jti": .string(id),
      "iat": .number(JSONNumber(harness.clock.now.milliseconds / 1000)),
    ]
    claims["ath"] = token.map { .string(Base64URL.encode(Secret(text: $0).digest)) }
    let content = "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes))"
    let signature = try key.signature(for: Data(content.utf8))
    return "\(content).\(Base64URL.encode(Array(signature.rawRepresentation)))"
  }
}

/// Tokens that are bound to a key of the app (DPoP, RFC 9449), over HTTP.
@Suite struct BoundTokenTests {
  /// Posts to the token endpoint with proofs.
  private func post(
    _ house: AppHouse, _ fields: [(String, String)], _ proofs: [String]
  ) async throws -> TestResponse {
    var headers: HTTPFields = [:]
    for proof in proofs { headers.append(HTTPField(name: .dpop, value: proof)) }
    var fields = fields + [("client_id", house.app)]
    if let secret = house.secret { fields.append(("client_secret", secret)) }
    return try await house.harness.submit("/oauth/token", fields, headers)
  }

  private func exchange(_ code: String) -> [(String, String)] {
    [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", AppHouse.redirect),
      ("code_verifier", AppHouse.verifier),
    ]
  }

  private func refresh(_ tokens: JSONValue) throws -> [(String, String)] {
    [
      ("grant_type", "refresh_token"),
      ("refresh_token", try #require(tokens["refresh_token"]?.string)),
    ]
  }

  /// Returns the tokens of a new grant, bound to a key.
  private func tokens(_ house: AppHouse, _ key: AppKey) async throws -> JSONValue {
    let response = try await post(
      house, exchange(try await house.code()),
      [try key.proof(house.harness, "POST", "/oauth/token")])
    #expect(response.status == .ok, "\(response.text)")
    return try response.json()
  }

  private func read(
    _ house: AppHouse, _ token: String, scheme: String = "DPoP", _ proofs: [String],
    path: String? = nil
  ) async throws -> TestResponse {
    var headers: HTTPFields = [.authorization: "\(scheme) \(token)"]
    for proof in proofs { headers.append(HTTPField(name: .dpop, value: proof)) }
    return try await house.harness.send(
      .get, path ?? "/fhir/Patient/\(house.account.patient)", headers)
  }

  @Test func `a bound token works with a new proof for each request`() async throws {
    try await ServerHarness.run { harness in
      let (house, key) = (try await AppHouse(harness), AppKey())
      let tokens = try await tokens(house, key)
      #expect(tokens["token_type"]?.string == "DPoP")
      let token = try #require(tokens["access_token"]?.string)
      let path = "/fhir/Patient/\(house.account.patient)"
      for _ in 1...2 {
        let proof = try key.proof(harness, "GET", path, token: token)
        #expect(try await read(house, token, [proof]).status == .ok)
      }
      // A query is no part of the address in a proof.
      let search = try key.proof(harness, "GET", "/fhir/Observation", token: token)
      let found = try await read(house, token, [search], path: "/fhir/Observation?_count=1")
      #expect(found.status == .ok, "\(found.text)")

      let facts = try await house.post("/oauth/introspect", [("token", token)]).json()
      #expect(facts["token_type"]?.string == "DPoP")
      #expect(facts["cnf"]?["jkt"]?.string?.utf8.count == 43)
      let metadata = try await harness.send(.get, "/fhir/.well-known/smart-configuration").json()
      #expect(
        metadata["dpop_signing_alg_values_supported"] == ["ES256", "ES384", "RS256"])
    }
  }

  @Test(.enabled(if: TestDatabase.engine == .postgres))
  func `a proof that another node accepted is refused`() async throws {
    try await ServerHarness.run { harness in
      let (house, key) = (try await AppHouse(harness), AppKey())
      let token = try #require(try await tokens(house, key)["access_token"]?.string)
      let path = "/fhir/Patient/\(house.account.patient)"
      let text = try key.proof(harness, "GET", path, token: token)
      let proof = try await KeyProof(
        text, method: "GET", address: "http://localhost\(path)", token: Secret(text: token),
        now: harness.clock.now)
      let (accounts, app) = (harness.environment.accounts, AppID(house.app))
      let isNew = try await harness.environment.database.write { writer in
        try accounts.noteAssertion(
          "dpop\n\(proof.use)", of: app, expires: proof.expires, in: writer)
      }
      #expect(isNew)
      #expect(try await read(house, token, [text]).status == .unauthorized)
      let next = try key.proof(harness, "GET", path, token: token)
      #expect(try await read(house, token, [next]).status == .ok)
    }
  }

  @Test func `a stolen token is worth nothing without the key`() async throws {
    try await ServerHarness.run { harness in
      let (house, key, thief) = (try await AppHouse(harness), AppKey(), AppKey())
      let tokens = try await tokens(house, key)
      let token = try #require(tokens["access_token"]?.string)
      let path = "/fhir/Patient/\(house.account.patient)"
      let good = try key.proof(harness, "GET", path, token: token)
      let refused = [
        try await read(house, token, scheme: "Bearer", []),
        try await read(
          house, token, scheme: "Bearer", [try key.proof(harness, "GET", path, token: token)]),
        try await read(house, token, []),
        try await read(house, token, [try thief.proof(harness, "GET", path, token: token)]),
        try await read(house, token, [try key.proof(harness, "POST", path, token: token)]),
        try await read(
          house, token, [try key.proof(harness, "GET", "/fhir/Observation", token: token)]),
        try await read(house, token, [try key.proof(harness, "GET", path, token: "rga_other")]),
        try await read(house, token, [try key.proof(harness, "GET", path)]),
        try await read(house, token, [good, good]), try await read(house, token, ["nonsense"]),
      ]
      for response in refused {
        #expect(response.status == .unauthorized)
        #expect(response.headers[.wwwAuthenticate]?.hasPrefix("DPoP error=") == true)
      }
      #expect(try await read(house, token, [good]).status == .ok)
      #expect(try await read(house, token, [good]).status == .unauthorized, "a replay")
      harness.clock.advance(minutes: 2)
      let old = try await read(house, token, [good])
      #expect(old.status == .unauthorized, "an old proof")
    }
  }

  @Test func `a token without a key is not sent as a bound one`() async throws {
    try await ServerHarness.run { harness in
      let (house, key) = (try await AppHouse(harness), AppKey())
      let tokens = try await house.exchange(try await house.code()).json()
      #expect(tokens["token_type"]?.string == "Bearer" && tokens["cnf"] == nil)
      let token = try #require(tokens["access_token"]?.string)
      let path = "/fhir/Patient/\(house.account.patient)"
      let proof = try key.proof(harness, "GET", path, token: token)
      #expect(try await read(house, token, [proof]).status == .unauthorized)
      #expect(try await read(house, token, scheme: "Bearer", []).status == .ok)
      // An unknown token is unknown under either scheme.
      #expect(try await read(house, "rga_unknown", [proof]).status == .unauthorized)
    }
  }

  @Test func `a stolen refresh token of a public app needs the key`() async throws {
    try await ServerHarness.run { harness in
      let (house, key, thief) = (try await AppHouse(harness), AppKey(), AppKey())
      let first = try await tokens(house, key)
      for proofs in [[], [try thief.proof(harness, "POST", "/oauth/token")]] {
        let stolen = try await post(house, try refresh(first), proofs)
        #expect(stolen.status == .badRequest)
        #expect(try stolen.json()["error"]?.string == "invalid_grant")
      }
      let next = try await post(
        house, try refresh(first), [try key.proof(harness, "POST", "/oauth/token")])
      let second = try next.json()
      #expect(second["token_type"]?.string == "DPoP", "\(next.text)")
      let token = try #require(second["access_token"]?.string)
      let path = "/fhir/Patient/\(house.account.patient)"
      let proof = try key.proof(harness, "GET", path, token: token)
      #expect(try await read(house, token, [proof]).status == .ok)
    }
  }

  @Test func `a confidential app may change its key`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness, kind: .confidential)
      let (key, next) = (AppKey(), AppKey())
      let first = try await tokens(house, key)
      let renewed = try await post(
        house, try refresh(first), [try next.proof(harness, "POST", "/oauth/token")]
      ).json()
      let token = try #require(renewed["access_token"]?.string)
      let path = "/fhir/Patient/\(house.account.patient)"
      let old = try key.proof(harness, "GET", path, token: token)
      #expect(try await read(house, token, [old]).status == .unauthorized)
      let new = try next.proof(harness, "GET", path, token: token)
      #expect(try await read(house, token, [new]).status == .ok)
    }
  }

  @Test func `a wrong proof at the token endpoint spends no code`() async throws {
    try await ServerHarness.run { harness in
      let (house, key) = (try await AppHouse(harness), AppKey())
      let used = try key.proof(harness, "POST", "/oauth/token", id: "once")
      let one = try await post(house, exchange(try await house.code()), [used])
      #expect(one.status == .ok)
      let code = try await house.code()
      for proofs in [
        ["nonsense"], [used], [try key.proof(harness, "GET", "/oauth/token")],
        [try key.proof(harness, "POST", "/oauth/introspect")],
        [
          try key.proof(harness, "POST", "/oauth/token"),
          try key.proof(harness, "POST", "/oauth/token"),
        ],
      ] {
        let refused = try await post(house, exchange(code), proofs)
        #expect(refused.status == .badRequest)
        #expect(try refused.json()["error"]?.string == "invalid_dpop_proof")
      }
      let good = try await post(
        house, exchange(code), [try key.proof(harness, "POST", "/oauth/token")])
      #expect(good.status == .ok, "\(good.text)")
    }
  }

  @Test func `a code of a key is exchanged only with the key`() async throws {
    try await ServerHarness.run { harness in
      let (house, key, thief) = (try await AppHouse(harness), AppKey(), AppKey())
      let bound: [String: String?] = ["dpop_jkt": try await key.thumbprint(harness)]
      let code = try await house.code(bound)
      for proofs in [[], [try thief.proof(harness, "POST", "/oauth/token")]] {
        let stolen = try await post(house, exchange(code), proofs)
        #expect(try stolen.json()["error"]?.string == "invalid_grant")
      }
      let own = try await post(
        house, exchange(code), [try key.proof(harness, "POST", "/oauth/token")])
      #expect(own.status == .ok, "\(own.text)")
      for wrong in ["short", String(repeating: "=", count: 43)] {
        let answer = try AppHouse.answer(try await house.authorize(["dpop_jkt": wrong]))
        #expect(answer["error"] == "invalid_request")
      }
    }
  }

  @Test func `the memory of proofs has a limit and no gap`() async throws {
    try await ServerHarness.run { harness in
      let (key, now) = (AppKey(), harness.clock.now)
      func proof(_ id: String) async throws -> KeyProof {
        try await KeyProof(
          try key.proof(harness, "GET", "/x", id: id), method: "GET",
          address: "http://localhost/x", token: nil, now: harness.clock.now)
      }
      let memory = UsedKeyProofs(capacity: 2)
      let (one, two, three) = (try await proof("1"), try await proof("2"), try await proof("3"))
      #expect(memory.note(one, at: now) && !memory.note(one, at: now))
      #expect(memory.note(two, at: now))
      #expect(!memory.note(three, at: now), "a full memory forgets nothing that still counts")
      harness.clock.advance(minutes: 2)
      let four = try await proof("4")
      #expect(memory.note(four, at: harness.clock.now))
    }
  }
}
