// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings
import FHIR
import Foundation
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Accounts

/// Creates valid and invalid client assertions by hand.
struct AssertionMaker {
  static let audience = "https://regimen.example.org/oauth/token"

  let key = P384.Signing.PrivateKey()
  let now = Timestamp(milliseconds: 1_772_348_400_000)
  var seconds: Int64 { now.milliseconds / 1000 }

  var keySet: JSONValue {
    let point = Array(key.publicKey.rawRepresentation)
    return [
      "keys": [
        [
          "kty": "EC", "crv": "P-384", "kid": "k1", "use": "sig", "alg": "ES384",
          "x": .string(Base64URL.encode(point.prefix(48))),
          "y": .string(Base64URL.encode(point.suffix(48))),
        ]
      ]
    ]
  }

  var claims: JSONValue {
    [
      "iss": "service", "sub": "service", "aud": .string(Self.audience), "jti": "one",
      "exp": .number(JSONNumber(seconds + 300)), "iat": .number(JSONNumber(seconds)),
    ]
  }

  func content(_ header: JSONValue, _ claims: JSONValue) -> String {
    "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes))"
  }

  func token(
    header: JSONValue = ["alg": "ES384", "typ": "JWT", "kid": "k1"],
    _ change: (inout JSONValue) -> Void = { _ in }
  ) throws -> String {
    var claims = claims
    change(&claims)
    let content = content(header, claims)
    let signature = try key.signature(for: Data(content.utf8))
    return "\(content).\(Base64URL.encode(Array(signature.rawRepresentation)))"
  }

  func check(_ token: String) async throws -> ClientAssertion {
    let keys = try #require(SigningKeys(keySet))
    return try await ClientAssertion(
      token, of: "service", keys: keys, audiences: [Self.audience], now: now)
  }
}

@Suite struct ClientAssertionTests {
  private let maker = AssertionMaker()

  @Test func `a number in the header that fits no whole number is refused`() async throws {
    let large = JSONValue.number(try #require(JSONNumber(text: "1e300")))
    let token = try maker.token(header: ["alg": "ES384", "typ": "JWT", "kid": "k1", "x": large])
    await #expect(throws: IDTokenError.malformed) { _ = try await maker.check(token) }
  }

  @Test func `a signed assertion proves the app`() async throws {
    let token = try maker.token()
    #expect(ClientAssertion.claimedApp(token) == "service")
    let assertion = try await maker.check(token)
    #expect(assertion.id == "one")
    #expect(assertion.expires == maker.now.adding(milliseconds: 300_000))
  }

  @Test func `algorithms with a shared secret, or none, are refused`() async throws {
    let none = maker.content(["alg": "none", "typ": "JWT"], maker.claims) + "."
    // The public key as the secret of an HMAC: the classic confusion of algorithms.
    let content = maker.content(["alg": "HS256", "typ": "JWT", "kid": "k1"], maker.claims)
    let code = Fingerprint.code(for: Array(content.utf8), key: maker.keySet.bytes)
    for token in [none, "\(content).\(Base64URL.encode(code))"] {
      await #expect(throws: IDTokenError.algorithm) { try await maker.check(token) }
    }
    let other = try maker.token(header: ["alg": "ES256", "typ": "JWT", "kid": "k1"])
    await #expect(throws: IDTokenError.algorithm) { try await maker.check(other) }
  }

  @Test func `another key and a changed content are refused`() async throws {
    let stranger = try AssertionMaker().token()
    await #expect(throws: IDTokenError.signature) { try await maker.check(stranger) }
    let parts = try maker.token().split(separator: ".").map(String.init)
    var claims = maker.claims
    claims["jti"] = "two"
    let changed = "\(parts[0]).\(Base64URL.encode(claims.bytes)).\(parts[2])"
    await #expect(throws: IDTokenError.signature) { try await maker.check(changed) }
    let unknown = try maker.token(header: ["alg": "ES384", "kid": "k2"])
    await #expect(throws: IDTokenError.unknownKey) { try await maker.check(unknown) }
    for text in ["", "a.b.c", "a.b"] {
      await #expect(throws: IDTokenError.malformed) { try await maker.check(text) }
      #expect(ClientAssertion.claimedApp(text) == nil)
    }
  }

  @Test func `wrong claims are refused`() async throws {
    let seconds = maker.seconds
    func number(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }
    let cases: [(IDTokenError, String, JSONValue)] = [
      (.issuer, "iss", "other"), (.subject, "sub", "other"),
      (.audience, "aud", "https://other.example.org/token"), (.expired, "exp", number(seconds)),
      (.expired, "exp", number(seconds + 361)), (.expired, "exp", "soon"),
      (.issuedAt, "iat", number(seconds + 61)), (.notYetValid, "nbf", number(seconds + 61)),
      (.nonce, "jti", ""), (.nonce, "jti", 7),
    ]
    for (error, name, value) in cases {
      let token = try maker.token { $0[name] = value }
      await #expect(throws: error) { try await maker.check(token) }
    }
  }

  @Test func `an assertion is accepted once, and by each app for itself`() async throws {
    let fixtures = try await AppFixtures()
    let (store, now) = (fixtures.accounts.store, fixtures.now)
    let accepted = try await fixtures.database.write { writer in
      try ["tracker", "tracker", "other"].map { app in
        try store.noteAssertion("one", of: AppID(app), expires: now, in: writer)
      }
    }
    #expect(accepted == [true, false, true])
  }
}

@Suite struct AppKeyTests {
  @Test func `a key signs for 90 days and is published a week longer`() async throws {
    let fixtures = try await AccountFixtures()
    let (store, random) = (fixtures.store, fixtures.random)
    let day: Int64 = 24 * 3_600_000
    func key(after days: Int64) async throws -> AppSigningKey {
      let at = fixtures.later(days * day)
      return try await fixtures.database.write { writer in
        try store.signingKey(random: random, at: at, in: writer)
      }
    }
    func published(after days: Int64) async throws -> [String] {
      let at = fixtures.later(days * day)
      return try await fixtures.database.read { try store.signingKeys(at: at, in: $0).map(\.id) }
    }
    let first = try await key(after: 0)
    #expect(try await key(after: 89).id == first.id)
    let second = try await key(after: 90)
    #expect(second.id != first.id)
    #expect(try await published(after: 91) == [second.id, first.id])
    #expect(try await published(after: 98) == [second.id])
  }

  @Test func `a signed token can be checked with the published key`() async throws {
    let fixtures = try await AccountFixtures()
    let (store, random, now) = (fixtures.store, fixtures.random, fixtures.now)
    let key = try await fixtures.database.write { writer in
      try store.signingKey(random: random, at: now, in: writer)
    }
    let seconds = now.milliseconds / 1000
    let token = try key.sign([
      "iss": "https://regimen.example.org", "sub": "account-1", "aud": "tracker", "nonce": "n-1",
      "iat": .number(JSONNumber(seconds)), "exp": .number(JSONNumber(seconds + 3600)),
    ])
    let keys = try #require(SigningKeys(["keys": [key.publicKey]]))
    let identity = try await IDToken(
      token, keys: keys,
      IDToken.Expectation(
        issuer: "https://regimen.example.org", clientID: "tracker", nonce: "n-1", accessToken: nil,
        now: now))
    #expect(identity.subject == "account-1")
  }
}
