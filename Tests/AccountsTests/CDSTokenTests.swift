// SPDX-License-Identifier: Apache-2.0

import Access
import Crypto
import Encodings
import FHIR
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Accounts

/// Creates valid and invalid tokens of a system that asks for decision support.
struct CDSTokenMaker {
  let key = P384.Signing.PrivateKey()
  let now = Timestamp(milliseconds: 1_772_348_400_000)
  var seconds: Int64 { now.milliseconds / 1000 }

  static let issuer = "https://ehr.example.org"
  static let service = "https://regimen.example/cds-services/regimen-order-sign"

  var publicKey: JSONValue {
    let bytes = Array(key.publicKey.x963Representation)
    return [
      "kty": "EC", "crv": "P-384", "kid": "k1", "use": "sig", "alg": "ES384",
      "x": .string(Base64URL.encode(Array(bytes[1..<49]))),
      "y": .string(Base64URL.encode(Array(bytes[49...]))),
    ]
  }

  var keySet: JSONValue { ["keys": [publicKey]] }

  var header: JSONValue { ["alg": "ES384", "typ": "JWT", "kid": "k1"] }

  var claims: JSONValue {
    [
      "iss": .string(Self.issuer), "aud": .string(Self.service),
      "iat": .number(JSONNumber(seconds - 5)), "exp": .number(JSONNumber(seconds + 200)),
      "jti": "request-1",
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

  func client(
    of account: AccountID = "account-1", reachesEveryPatient: Bool = false
  ) throws -> CDSClient {
    try CDSClient(
      issuer: Self.issuer, keys: keySet, account: account,
      reachesEveryPatient: reachesEveryPatient, at: now)
  }
}

@Suite struct CDSTokenTests {
  private let maker = CDSTokenMaker()

  private func refusal(_ token: String, _ set: JSONValue? = nil) async throws -> CDSTokenError? {
    let keys = try #require(SigningKeys(set ?? maker.keySet))
    do throws(CDSTokenError) {
      let use = try await CDSToken(token).check(
        keys, for: [CDSTokenMaker.service], at: maker.now)
      #expect(use.digest.count == 32 && use.until > maker.now)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a valid token is accepted`() async throws {
    #expect(try await refusal(maker.token()) == nil)
    var claims = maker.claims
    claims["aud"] = ["https://other.example", .string(CDSTokenMaker.service)]
    claims["nbf"] = .number(JSONNumber(maker.seconds))
    #expect(try await refusal(maker.token(header: ["alg": "ES384"], claims: claims)) == nil)
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let error: CDSTokenError
    let change: @Sendable (inout JSONValue, Int64) -> Void

    init(
      _ description: String, _ error: CDSTokenError,
      _ change: @escaping @Sendable (inout JSONValue, Int64) -> Void
    ) {
      testDescription = description
      self.error = error
      self.change = change
    }
  }

  static let wrongClaims = [
    Wrong("without an issuer", .issuer) { claims, _ in claims["iss"] = nil },
    Wrong("for another service", .audience) { claims, _ in
      claims["aud"] = "https://regimen.example/cds-services/regimen-patient-view"
    },
    Wrong("for another server", .audience) { claims, _ in
      claims["aud"] = "https://other.example/cds-services/regimen-order-sign"
    },
    Wrong("for no one", .audience) { claims, _ in claims["aud"] = nil },
    Wrong("expired", .expired) { claims, now in claims["exp"] = .number(JSONNumber(now - 31)) },
    Wrong("without an end", .expired) { claims, _ in claims["exp"] = nil },
    Wrong("with an end in words", .expired) { claims, _ in claims["exp"] = "soon" },
    Wrong("valid for too long", .lifetime) { claims, now in
      claims["exp"] = .number(JSONNumber(now + 296))
    },
    Wrong("that ends before it begins", .lifetime) { claims, now in
      claims["iat"] = .number(JSONNumber(now + 20))
      claims["exp"] = .number(JSONNumber(now + 10))
    },
    Wrong("issued later than now", .issuedAt) { claims, now in
      claims["iat"] = .number(JSONNumber(now + 31))
    },
    Wrong("issued never", .issuedAt) { claims, _ in claims["iat"] = nil },
    Wrong("not valid yet", .notYetValid) { claims, now in
      claims["nbf"] = .number(JSONNumber(now + 31))
    },
    Wrong("without an identifier", .identifier) { claims, _ in claims["jti"] = nil },
    Wrong("with an empty identifier", .identifier) { claims, _ in claims["jti"] = "" },
    Wrong("with too long an identifier", .identifier) { claims, _ in
      claims["jti"] = .string(String(repeating: "a", count: 256))
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
    Wrong("none in another case", .algorithm) { header, _ in header["alg"] = "NONE" },
    Wrong("a shared secret", .algorithm) { header, _ in header["alg"] = "HS384" },
    Wrong("an algorithm of ID tokens", .algorithm) { header, _ in header["alg"] = "ES256" },
    Wrong("an unnamed algorithm", .algorithm) { header, _ in header["alg"] = nil },
    Wrong("an algorithm of another key", .unknownKey) { header, _ in header["alg"] = "RS384" },
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

  @Test func `a public key can't be used as an HMAC secret, and a signature is needed`()
    async throws
  {
    let secret = SymmetricKey(data: maker.keySet.bytes)
    for name in ["HS256", "HS384"] {
      let token = try maker.token(header: ["alg": .string(name), "kid": "k1"]) { signed in
        Array(HMAC<SHA384>.authenticationCode(for: signed, using: secret))
      }
      #expect(try await refusal(token) == .algorithm)
    }
    #expect(try await refusal(maker.token(header: ["alg": "none"]) { _ in [] }) == .algorithm)
    #expect(try await refusal(maker.token { _ in [] }) == .signature)
    #expect(try await refusal(maker.token { _ in Array(repeating: 0, count: 96) }) == .signature)
  }

  @Test func `a key of someone else, or inside the token, is not used`() async throws {
    let other = CDSTokenMaker()
    var header = maker.header
    header["jwk"] = other.publicKey
    header["jku"] = "https://evil.example/keys"
    let foreign = try maker.token(header: header) {
      Array(try other.key.signature(for: $0).rawRepresentation)
    }
    #expect(try await refusal(foreign) == .signature)
    // Claims that were changed after signing.
    let parts = try maker.token().split(separator: ".")
    var claims = maker.claims
    claims["jti"] = "request-2"
    #expect(
      try await refusal("\(parts[0]).\(Base64URL.encode(claims.bytes)).\(parts[2])") == .signature)
  }

  @Test func `malformed tokens are refused`() async throws {
    let right = try maker.token()
    let parts = right.split(separator: ".").map(String.init)
    let doubled = Base64URL.encode(Array(#"{"alg":"ES384","alg":"none"}"#.utf8))
    for token in [
      "", ".", "..", "a.b.c", "rgt_something", right + ".x", parts[0] + "." + parts[1], right + "=",
      doubled + "." + parts[1] + "." + parts[2], String(repeating: "A", count: 9000),
      "\(parts[0]).W10.\(parts[2])",
    ] {
      #expect(try await refusal(token) == .malformed, "\(token.prefix(40))")
    }
  }

  /// A key and a token that another program made (Python's cryptography).
  private static let modulus = """
    pi-7_ydiyJg4TZm4vRKCV4972GEfJvj5reK0CZrZJPw1-g2DS9rlfVlkiX6_41e0mtmsOx6W6DvSaPcl_EUWd66e4F\
    Lc_pzM70IVUXSIe3tIw626NwLhsboEFYiLlhK_QDX8oK7NC-vzsWQWDjKREL1B_9iY_VfvutJi5d-OBlX6mAhai5jF\
    dq-5XHKzvmIsU3ZycLvZRay5PvXcI1Z8VCcrI_GfsWEAItM0RqZteu-EwGn_KiJhNIq65-WHz12F4Be1Uhi4GRtPjA\
    7o58zAHmqnDdDvdGQkhZhRMFzJE2t0EG_3BJ_V6ZghIADuYah3BDAn86uWDXZ83BOrgHTMGw
    """
  private static let rsaToken = """
    eyJhbGciOiJSUzM4NCIsInR5cCI6IkpXVCIsImtpZCI6InIxIn0.eyJpc3MiOiJodHRwczovL2Voci5leGFtcGxlLm\
    9yZyIsImF1ZCI6Imh0dHBzOi8vcmVnaW1lbi5leGFtcGxlL2Nkcy1zZXJ2aWNlcy9yZWdpbWVuLW9yZGVyLXNpZ24i\
    LCJpYXQiOjE3NzIzNDgzOTUsImV4cCI6MTc3MjM0ODYwMCwianRpIjoicnNhLTEifQ.cictwtoaq5AzCbFAygsWmaz\
    WLPURBnMzevvKrkGuMfYJDmI1w7XIZoo2OdbZs7z_ORGV-MyK5PAI7-KAuJ0MEOgufmBnLeLn-ia8ZoglZaV_iQoYm\
    3rCKt1O4MLCjKOYXk9ncjKT-N_r4vVokbPtcn8ubw-uHAf9RqD72QnM3uUCfKfX5zcy7uurLqkKmC5VYEvIjdUd4EE\
    0q3wZ4iWZ5mrlyVdnuWH9ZCVH5tf08Rf2Z5LYBpV9uHovAkZOIl5yW2_GrsfsCe4x5iud6VUoU-ZGdAj_H9BNpAQ6D\
    _naKCJKuo4WdadQ91GtjYd2cMtKc_9vj4ar6nA3tApBfDjIVQ
    """

  @Test func `an RS384 token of another program is accepted`() async throws {
    let set: JSONValue = [
      "keys": [["kty": "RSA", "kid": "r1", "e": "AQAB", "n": .string(Self.modulus)]]
    ]
    #expect(try await refusal(Self.rsaToken, set) == nil)
    let parts = Self.rsaToken.split(separator: ".")
    let changed = String(parts[2].reversed())
    let error = try await refusal("\(parts[0]).\(parts[1]).\(changed)", set)
    #expect(error == .signature || error == .malformed)
  }
}
