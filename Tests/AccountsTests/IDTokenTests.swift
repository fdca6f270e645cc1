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

/// Creates valid and invalid ID tokens by hand.
struct TokenMaker {
  let key = P256.Signing.PrivateKey()
  let now = Timestamp(milliseconds: 1_772_348_400_000)
  var seconds: Int64 { now.milliseconds / 1000 }

  static let issuer = "https://id.example.org"
  static let accessToken = "an-access-token"

  var expected: IDToken.Expectation {
    IDToken.Expectation(
      issuer: Self.issuer, clientID: "regimen", nonce: "n-1", accessToken: Self.accessToken,
      now: now)
  }

  var publicKey: JSONValue {
    let bytes = Array(key.publicKey.x963Representation)
    return [
      "kty": "EC", "crv": "P-256", "kid": "k1", "use": "sig", "alg": "ES256",
      "x": .string(Base64URL.encode(Array(bytes[1..<33]))),
      "y": .string(Base64URL.encode(Array(bytes[33...]))),
    ]
  }

  func keys(_ change: (inout JSONValue) -> Void = { _ in }) throws -> SigningKeys {
    var key = publicKey
    change(&key)
    return try #require(SigningKeys(["keys": [key]]))
  }

  var header: JSONValue { ["alg": "ES256", "typ": "JWT", "kid": "k1"] }

  var claims: JSONValue {
    let hash = Array(SHA256.hash(data: Array(Self.accessToken.utf8))).prefix(16)
    return [
      "iss": .string(Self.issuer), "aud": "regimen", "sub": "ann-17", "nonce": "n-1",
      "exp": .number(JSONNumber(seconds + 300)), "iat": .number(JSONNumber(seconds - 5)),
      "email": "ann@example.org", "at_hash": .string(Base64URL.encode(Array(hash))),
    ]
  }

  func token(
    header: JSONValue? = nil, claims: JSONValue? = nil,
    signature: (([UInt8]) throws -> [UInt8])? = nil
  ) throws -> String {
    let parts = [header ?? self.header, claims ?? self.claims].map { Base64URL.encode($0.bytes) }
    let signed = Array(parts.joined(separator: ".").utf8)
    let bytes = try signature?(signed) ?? Array(key.signature(for: signed).rawRepresentation)
    return (parts + [Base64URL.encode(bytes)]).joined(separator: ".")
  }
}

@Suite struct IDTokenTests {
  private let maker = TokenMaker()

  private func refusal(_ token: String, _ keys: SigningKeys? = nil) async throws -> IDTokenError? {
    do throws(IDTokenError) {
      let keys = if let keys { keys } else { try? maker.keys() }
      guard let keys else { throw .malformed }
      _ = try await IDToken(token, keys: keys, maker.expected)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a valid token identifies the person`() async throws {
    let read = try await IDToken(maker.token(), keys: maker.keys(), maker.expected)
    #expect(read.subject == "ann-17")
    #expect(read.label == "ann@example.org")
    // Optional claims.
    var claims = maker.claims
    claims["at_hash"] = nil
    claims["aud"] = ["regimen", "other"]
    claims["azp"] = "regimen"
    claims["nbf"] = .number(JSONNumber(maker.seconds))
    let header: JSONValue = ["alg": "ES256"]
    #expect(try await refusal(maker.token(header: header, claims: claims)) == nil)
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let error: IDTokenError
    let change: @Sendable (inout JSONValue, Int64) -> Void

    init(
      _ description: String, _ error: IDTokenError,
      _ change: @escaping @Sendable (inout JSONValue, Int64) -> Void
    ) {
      testDescription = description
      self.error = error
      self.change = change
    }
  }

  static let wrongClaims = [
    Wrong("another issuer", .issuer) { claims, _ in claims["iss"] = "https://evil.example" },
    Wrong("the issuer with a slash", .issuer) { claims, _ in
      claims["iss"] = "https://id.example.org/"
    },
    Wrong("no issuer", .issuer) { claims, _ in claims["iss"] = nil },
    Wrong("for another client", .audience) { claims, _ in claims["aud"] = "other" },
    Wrong("for nobody", .audience) { claims, _ in claims["aud"] = [] },
    Wrong("for a number", .audience) { claims, _ in claims["aud"] = 1 },
    Wrong("for two, without a party", .authorizedParty) { claims, _ in
      claims["aud"] = ["regimen", "other"]
    },
    Wrong("authorized for another", .authorizedParty) { claims, _ in claims["azp"] = "other" },
    Wrong("expired", .expired) { claims, now in claims["exp"] = .number(JSONNumber(now - 61)) },
    Wrong("without an end", .expired) { claims, _ in claims["exp"] = nil },
    Wrong("with an end in words", .expired) { claims, _ in claims["exp"] = "tomorrow" },
    Wrong("with an end beyond numbers", .expired) { claims, _ in
      claims["exp"] = JSONNumber(text: "1e999").map { .number($0) }
    },
    Wrong("issued later than now", .issuedAt) { claims, now in
      claims["iat"] = .number(JSONNumber(now + 61))
    },
    Wrong("issued long ago", .issuedAt) { claims, now in
      claims["iat"] = .number(JSONNumber(now - 3700))
    },
    Wrong("issued never", .issuedAt) { claims, _ in claims["iat"] = nil },
    Wrong("not valid yet", .notYetValid) { claims, now in
      claims["nbf"] = .number(JSONNumber(now + 61))
    },
    Wrong("of another sign-in", .nonce) { claims, _ in claims["nonce"] = "n-2" },
    Wrong("without a nonce", .nonce) { claims, _ in claims["nonce"] = nil },
    Wrong("beside another access token", .accessTokenHash) { claims, _ in
      claims["at_hash"] = "AAAAAAAAAAAAAAAAAAAAAA"
    },
    Wrong("with a hash that is none", .accessTokenHash) { claims, _ in claims["at_hash"] = 1 },
    Wrong("about nobody", .subject) { claims, _ in claims["sub"] = nil },
    Wrong("about an empty name", .subject) { claims, _ in claims["sub"] = "" },
    Wrong("about too long a name", .subject) { claims, _ in
      claims["sub"] = .string(String(repeating: "a", count: 256))
    },
  ]

  @Test(arguments: wrongClaims)
  func `a token with the wrong claims is refused`(wrong: Wrong) async throws {
    var claims = maker.claims
    wrong.change(&claims, maker.seconds)
    #expect(try await refusal(maker.token(claims: claims)) == wrong.error)
  }

  static let wrongHeaders = [
    Wrong("no algorithm at all", .algorithm) { header, _ in header["alg"] = "none" },
    Wrong("none in another case", .algorithm) { header, _ in header["alg"] = "nOnE" },
    Wrong("a shared secret", .algorithm) { header, _ in header["alg"] = "HS256" },
    Wrong("an unnamed algorithm", .algorithm) { header, _ in header["alg"] = nil },
    Wrong("an algorithm of another key", .unknownKey) { header, _ in header["alg"] = "RS256" },
    Wrong("a curve of another key", .unknownKey) { header, _ in header["alg"] = "EdDSA" },
    Wrong("an unknown key", .unknownKey) { header, _ in header["kid"] = "k2" },
    Wrong("something critical", .malformed) { header, _ in header["crit"] = ["exp"] },
    Wrong("another kind of token", .malformed) { header, _ in header["typ"] = "at+jwt" },
  ]

  @Test(arguments: wrongHeaders)
  func `a token with another algorithm or header is refused`(wrong: Wrong) async throws {
    var header = maker.header
    wrong.change(&header, 0)
    #expect(try await refusal(maker.token(header: header)) == wrong.error)
  }

  @Test func `a public key can't be used as an HMAC secret`() async throws {
    let secret = SymmetricKey(data: maker.publicKey.bytes)
    let token = try maker.token(header: ["alg": "HS256", "kid": "k1"]) { signed in
      Array(HMAC<SHA256>.authenticationCode(for: signed, using: secret))
    }
    #expect(try await refusal(token) == .algorithm)
    let unsigned = try maker.token(header: ["alg": "none"]) { _ in [] }
    #expect(try await refusal(unsigned) == .algorithm)
  }

  @Test func `a signature must match this token and a key of the set`() async throws {
    let other = P256.Signing.PrivateKey()
    let foreign = try maker.token { Array(try other.signature(for: $0).rawRepresentation) }
    #expect(try await refusal(foreign) == .signature)
    #expect(try await refusal(maker.token { _ in [] }) == .signature)
    #expect(try await refusal(maker.token { _ in Array(repeating: 0, count: 64) }) == .signature)
    // A key inside the token itself is ignored.
    var header = maker.header
    let point = Array(other.publicKey.x963Representation)
    header["jwk"] = [
      "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(Array(point[1..<33]))),
      "y": .string(Base64URL.encode(Array(point[33...]))),
    ]
    let own = try maker.token(header: header) {
      Array(try other.signature(for: $0).rawRepresentation)
    }
    #expect(try await refusal(own) == .signature)
  }

  static let unfitKeys = [
    Wrong("for encryption", .unknownKey) { key, _ in key["use"] = "enc" },
    Wrong("of another algorithm", .unknownKey) { key, _ in key["alg"] = "ES384" },
    Wrong("with its private half", .unknownKey) { key, _ in key["d"] = "AAAA" },
    Wrong("without a coordinate", .unknownKey) { key, _ in key["y"] = nil },
    Wrong("of another curve", .unknownKey) { key, _ in key["crv"] = "P-384" },
  ]

  @Test(arguments: unfitKeys)
  func `a key for another purpose is not used`(wrong: Wrong) async throws {
    let keys = try maker.keys { wrong.change(&$0, 0) }
    let error = try await refusal(maker.token(), keys)
    #expect(error == .unknownKey || error == .signature)
  }

  @Test func `short RSA keys, huge key sets and duplicate key ids are refused`() async throws {
    let short: JSONValue = [
      "kty": "RSA", "kid": "k1", "e": "AQAB",
      "n": .string(Base64URL.encode(Array(repeating: 255, count: 128))),
    ]
    let keys = try #require(SigningKeys(["keys": [short]]))
    #expect(
      try await refusal(maker.token(header: ["alg": "RS256", "kid": "k1"]), keys) == .unknownKey)
    let double = try #require(SigningKeys(["keys": [maker.publicKey, maker.publicKey]]))
    #expect(try await refusal(maker.token(), double) == .unknownKey)
    #expect(SigningKeys(["keys": .array(Array(repeating: maker.publicKey, count: 101))]) == nil)
    #expect(SigningKeys([:]) == nil)
  }

  @Test func `malformed tokens are refused`() async throws {
    let right = try maker.token()
    let parts = right.split(separator: ".").map(String.init)
    let doubled = Base64URL.encode(Array(#"{"alg":"ES256","alg":"none"}"#.utf8))
    for token in [
      "", ".", "..", "a.b.c", right + ".x", parts[0] + "." + parts[1], right + "=",
      parts[0] + "=." + parts[1] + "." + parts[2], doubled + "." + parts[1] + "." + parts[2],
      String(repeating: "A", count: 20_000), "\(parts[0]).W10.\(parts[2])",
    ] {
      #expect(try await refusal(token) == .malformed, "\(token.prefix(40))")
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a mutated token is refused with a reason`(seed: UInt64) async throws {
    let right = Array(try maker.token().utf8)
    var generator = SeededGenerator(seed: seed)
    let mutator = Mutator(fragments: ["..", ".", "=", "eyJ", "e30", "bnVsbA", "-_"], marks: ".AQ")
    for _ in 0..<400 {
      let bytes = mutator.mutate(right, with: &generator)
      guard bytes != right else { continue }
      #expect(try await refusal(String(decoding: bytes, as: UTF8.self)) != nil)
    }
  }
}
