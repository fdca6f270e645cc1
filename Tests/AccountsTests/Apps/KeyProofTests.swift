// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings
import FHIR
import Foundation
import Storage
import Testing
import TestSupport

@testable import Accounts

/// Creates valid and invalid proofs of possession by hand.
struct ProofMaker {
  static let address = "https://regimen.example.org/fhir/Patient"
  static let token = Secret(text: "rga_token")

  let key = P256.Signing.PrivateKey()
  let now = Timestamp(milliseconds: 1_772_348_400_000)
  var seconds: Int64 { now.milliseconds / 1000 }

  var publicKey: JSONValue {
    let point = Array(key.publicKey.rawRepresentation)
    return [
      "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(point.prefix(32))),
      "y": .string(Base64URL.encode(point.suffix(32))),
    ]
  }

  var header: JSONValue { ["typ": "dpop+jwt", "alg": "ES256", "jwk": publicKey] }

  var claims: JSONValue {
    [
      "htm": "GET", "htu": .string(Self.address), "iat": .number(JSONNumber(seconds)),
      "jti": "one", "ath": .string(Base64URL.encode(Self.token.digest)),
    ]
  }

  func proof(_ header: JSONValue, _ claims: JSONValue) throws -> String {
    let content = "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes))"
    let signature = try key.signature(for: Data(content.utf8))
    return "\(content).\(Base64URL.encode(Array(signature.rawRepresentation)))"
  }

  func proof(claims change: (inout JSONValue) -> Void) throws -> String {
    var claims = claims
    change(&claims)
    return try proof(header, claims)
  }

  func proof(header change: (inout JSONValue) -> Void) throws -> String {
    var header = header
    change(&header)
    return try proof(header, claims)
  }

  func check(
    _ proof: String, method: String = "GET", address: String = ProofMaker.address,
    token: Secret? = ProofMaker.token
  ) async throws(KeyProofError) -> KeyProof {
    try await KeyProof(proof, method: method, address: address, token: token, now: now)
  }
}

@Suite struct KeyProofTests {
  private let maker = ProofMaker()

  private func refuses(_ proof: String, _ reason: KeyProofError) async {
    await #expect(throws: reason, "\(reason)") { _ = try await maker.check(proof) }
  }

  @Test func `a signed proof names its key`() async throws {
    let proof = try await maker.check(try maker.proof(maker.header, maker.claims))
    #expect(proof.thumbprint == KeyProof.thumbprint(of: maker.publicKey))
    #expect(proof.thumbprint.utf8.count == 43 && proof.expires > maker.now)
    // There is no token yet when one is issued.
    let issued = try maker.proof(claims: { $0["ath"] = nil })
    #expect(try await maker.check(issued, token: nil).thumbprint == proof.thumbprint)
  }

  @Test func `the thumbprint is the one of RFC 7638`() {
    let modulus = """
      0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJ\
      ECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW\
      2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQ\
      Fh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw
      """
    let key: JSONValue = [
      "kty": "RSA", "n": .string(modulus), "e": "AQAB", "alg": "RS256", "kid": "2011-04-29",
    ]
    #expect(KeyProof.thumbprint(of: key) == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
  }

  @Test func `addresses are compared as addresses`() async throws {
    let proof = try maker.proof(claims: {
      $0["htu"] = "HTTPS://Regimen.Example.org:443/fhir/Patient?_count=5#x"
    })
    _ = try await maker.check(proof)
  }

  @Test func `a proof for something else is refused`() async throws {
    await refuses(try maker.proof(claims: { $0["htm"] = "POST" }), .method)
    let others: [JSONValue?] = [
      "https://regimen.example.org/fhir/Observation", "https://evil.example/fhir/Patient",
      "http://regimen.example.org/fhir/Patient", "https://regimen.example.org:8443/fhir/Patient",
      "/fhir/Patient", "", 5, nil,
    ]
    for address in others {
      await refuses(try maker.proof(claims: { $0["htu"] = address }), .address)
    }
    await refuses(try maker.proof(claims: { $0["ath"] = "AAAA" }), .token)
    await refuses(try maker.proof(claims: { $0["ath"] = nil }), .token)
  }

  @Test func `a proof is fresh and has a name`() async throws {
    for offset in [-91, 31, 1_000_000] as [Int64] {
      let time = JSONValue.number(JSONNumber(maker.seconds + offset))
      await refuses(try maker.proof(claims: { $0["iat"] = time }), .issuedAt)
    }
    for offset in [-89, 29] as [Int64] {
      let time = JSONValue.number(JSONNumber(maker.seconds + offset))
      _ = try await maker.check(try maker.proof(claims: { $0["iat"] = time }))
    }
    await refuses(try maker.proof(claims: { $0["iat"] = nil }), .issuedAt)
    let names: [JSONValue?] = [nil, "", 7, .string(String(repeating: "j", count: 256))]
    for id in names {
      await refuses(try maker.proof(claims: { $0["jti"] = id }), .identifier)
    }
  }

  @Test func `only public keys and their algorithms count`() async throws {
    for name in ["none", "HS256", "RS384", "PS256", "EdDSA", "ES512", ""] {
      await refuses(try maker.proof(header: { $0["alg"] = .string(name) }), .algorithm)
    }
    for name in ["ES384", "RS256"] {
      await refuses(try maker.proof(header: { $0["alg"] = .string(name) }), .key)
    }
    for name in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] {
      await refuses(
        try maker.proof(header: {
          var key = maker.publicKey
          key[name] = "AAAA"
          $0["jwk"] = key
        }), .key)
    }
    let secret: JSONValue = ["kty": "oct", "k": "AAAA"]
    let wrong: [JSONValue?] = [nil, "text", .object(JSONObject()), secret]
    for key in wrong {
      await refuses(try maker.proof(header: { $0["jwk"] = key }), .key)
    }
    // The key of someone else did not make this signature.
    let other = ProofMaker().publicKey
    await refuses(try maker.proof(header: { $0["jwk"] = other }), .signature)
  }

  @Test func `other tokens and broken ones are no proofs`() async throws {
    await refuses(try maker.proof(header: { $0["typ"] = "JWT" }), .malformed)
    await refuses(try maker.proof(header: { $0["typ"] = nil }), .malformed)
    await refuses(try maker.proof(header: { $0["crit"] = ["x"] }), .malformed)
    let proof = try maker.proof(maker.header, maker.claims)
    for text in ["", ".", "..", "a.b.c", proof + ".x", String(repeating: "a", count: 9000)] {
      await refuses(text, .malformed)
    }
    await refuses(String(proof.dropLast(8)) + "AAAAAAAA", .signature)
    // A number that fits no whole number stops neither the check nor the program.
    let large = JSONValue.number(try #require(JSONNumber(text: "1e300")))
    await refuses(try maker.proof(header: { $0["x"] = large }), .signature)
  }
}
