// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Encodings
import FHIR
import Foundation
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Exchange

/// The ID token of a sign-in at a hospital: signed by the hospital, for this app and this visit.
@Suite struct SmartIdentityTests {
  private let key = P256.Signing.PrivateKey()
  private let launch = SmartLaunch(state: Secret(text: "s"), browser: Secret(text: "b"))
  private let now = Timestamp(milliseconds: 1_772_348_400_000)
  private var seconds: Int64 { now.milliseconds / 1000 }

  private var keySet: JSONValue {
    let point = Array(key.publicKey.rawRepresentation)
    return [
      "keys": [
        [
          "kty": "EC", "crv": "P-256", "kid": "k1", "use": "sig", "alg": "ES256",
          "x": .string(Base64URL.encode(point.prefix(32))),
          "y": .string(Base64URL.encode(point.suffix(32))),
        ]
      ]
    ]
  }

  private func configuration(_ base: HospitalAddress) throws -> SmartConfiguration {
    let json: JSONValue = [
      "issuer": "https://auth.example", "jwks_uri": "https://auth.example/jwks",
      "authorization_endpoint": "https://auth.example/authorize",
      "token_endpoint": "https://auth.example/token",
      "code_challenge_methods_supported": ["S256"],
    ]
    return try #require(SmartConfiguration(json, base: base))
  }

  /// Returns the person of a sign-in whose ID token has these claims instead of the right ones.
  private func person(
    _ changes: [String: JSONValue] = [:], signedBy other: P256.Signing.PrivateKey? = nil,
    algorithm: JSONValue = "ES256"
  ) async throws -> String? {
    var claims: JSONValue = [
      "iss": "https://auth.example", "sub": "ann", "aud": "regimen",
      "nonce": .string(launch.nonce), "exp": .number(JSONNumber(seconds + 300)),
      "iat": .number(JSONNumber(seconds)),
    ]
    for (name, value) in changes { claims[name] = value }
    let header: JSONValue = ["alg": algorithm, "kid": "k1"]
    let content = "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes))"
    let signature = try (other ?? key).signature(for: Data(content.utf8))
    let proof = "\(content).\(Base64URL.encode(Array(signature.rawRepresentation)))"
    let answer: JSONValue = [
      "access_token": "abc", "token_type": "Bearer", "patient": "p1", "id_token": .string(proof),
    ]
    let keys = keySet
    let network = HospitalNetwork { request in
      let isKeys = request.url == "https://auth.example/jwks"
      return HospitalAnswer(status: 200, body: isKeys ? keys.bytes : answer.bytes)
    }
    let base = try #require(HospitalAddress("https://fhir.example/r4"))
    return try await launch.token(
      try configuration(base), clientID: "regimen", base: base, code: "code",
      returnAddress: "https://here.example/return", network: network, now: now
    ).patient
  }

  @Test func `a right ID token signs in`() async throws {
    #expect(try await person() == "p1")
  }

  @Test func `an ID token of another visit, issuer, time or key signs no one in`() async throws {
    let expired: JSONValue = .number(JSONNumber(seconds - 3_600))
    let wrong: [[String: JSONValue]] = [
      ["nonce": "of-another-visit"], ["nonce": .null], ["iss": "https://evil.example"],
      ["exp": expired],
    ]
    for changes in wrong {
      await #expect(throws: HospitalTrouble.signIn, "\(changes)") {
        _ = try await person(changes)
      }
    }
    await #expect(throws: HospitalTrouble.signIn) {
      _ = try await person(signedBy: P256.Signing.PrivateKey())
    }
    for algorithm: JSONValue in ["none", "HS256", "RS256"] {
      await #expect(throws: HospitalTrouble.signIn, "\(algorithm)") {
        _ = try await person(algorithm: algorithm)
      }
    }
  }

  @Test func `an ID token for another app is refused`() async throws {
    for changes: [String: JSONValue] in [["aud": "another"], ["aud": ["regimen", "another"]]] {
      await #expect(throws: HospitalTrouble.audience) { _ = try await person(changes) }
    }
  }
}
