// SPDX-License-Identifier: Apache-2.0
import Crypto
import Encodings
import Foundation
import Testing

@testable import Channels

struct VAPIDTests {
  /// The example of RFC 8292, section 2.4.
  static let header =
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOj"
    + "E0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0"
  static let signature =
    "i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA"
  static let publicKey =
    "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"

  private func verify(_ token: String, key: String) throws -> Bool {
    let parts = token.split(separator: ".")
    try #require(parts.count == 3)
    let signature = try P256.Signing.ECDSASignature(
      rawRepresentation: try #require(Base64URL.decode(padded: String(parts[2]))))
    let key = try P256.Signing.PublicKey(
      x963Representation: try #require(Base64URL.decode(padded: key)))
    return key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
  }

  /// Returns the token and key of a header.
  private func parts(_ header: String) throws -> (token: String, key: String) {
    let match = try #require(header.wholeMatch(of: /vapid t=([\w.-]+), k=([\w-]+)/))
    return (String(match.1), String(match.2))
  }

  private func claims(_ header: String) throws -> [String: Any] {
    let payload = try parts(header).token.split(separator: ".")[1]
    let bytes = try #require(Base64URL.decode(padded: String(payload)))
    let object = try JSONSerialization.jsonObject(with: Data(bytes))
    return try #require(object as? [String: Any])
  }

  @Test func theExampleOfRFC8292Verifies() throws {
    #expect(try verify("\(Self.header).\(Self.signature)", key: Self.publicKey))
    #expect(try !verify("\(Self.header).\(Self.signature)", key: VAPIDKey.generate().publicKey))
  }

  @Test func writesTheExampleOfRFC8292() throws {
    let key = VAPIDKey.generate()
    let tokens = VAPIDTokens(key: key, subject: "mailto:push@example.com")
    let header = try #require(
      tokens.header(
        origin: "https://push.example.net", now: 1_453_523_768 - VAPIDTokens.lifetime))
    let (token, publicKey) = try parts(header)
    #expect(token.hasPrefix(Self.header + "."))
    #expect(publicKey == key.publicKey)
    #expect(try verify(token, key: publicKey))
  }

  @Test func oneTokenPerOriginForHours() throws {
    let tokens = VAPIDTokens(key: .generate(), subject: "mailto:a@example.org")
    let first = tokens.header(origin: "https://a.example", now: 1_000_000)
    #expect(first != nil)
    #expect(tokens.header(origin: "https://a.example", now: 1_000_000 + 35_999) == first)
    #expect(tokens.header(origin: "https://b.example", now: 1_000_000) != first)
    let renewed = try #require(tokens.header(origin: "https://a.example", now: 1_000_000 + 36_000))
    #expect(renewed != first)
    #expect(try claims(renewed)["exp"] as? Int == 1_036_000 + 43_200)
    #expect(try claims(renewed)["aud"] as? String == "https://a.example")
    // After the clock was set back, the token would be too far in the future.
    let earlier = try #require(tokens.header(origin: "https://a.example", now: 900_000))
    #expect(try claims(earlier)["exp"] as? Int == 900_000 + 43_200)
  }

  @Test func aSubjectCannotLeaveItsString() throws {
    let subject = "mailto:a\",\"aud\":\"https://evil\\\u{01}ü"
    let tokens = VAPIDTokens(key: .generate(), subject: subject)
    let header = try #require(tokens.header(origin: "https://a.example", now: 0))
    let claims = try claims(header)
    #expect(claims["sub"] as? String == subject)
    #expect(claims["aud"] as? String == "https://a.example")
    #expect(claims.count == 3)
  }

  @Test func aKeySurvivesItsStorage() throws {
    let key = VAPIDKey.generate()
    #expect(key.rawRepresentation.count == 32)
    #expect(VAPIDKey(rawRepresentation: key.rawRepresentation)?.publicKey == key.publicKey)
    let point = try #require(Base64URL.decode(padded: key.publicKey))
    #expect(point.count == 65)
    #expect(point.first == 4)
    #expect(VAPIDKey.generate().publicKey != key.publicKey)
  }

  @Test(arguments: [0, 31, 33])
  func refusesAKeyOfAnotherLength(count: Int) {
    #expect(VAPIDKey(rawRepresentation: [UInt8](repeating: 1, count: count)) == nil)
  }

  @Test(arguments: [UInt8(0), 0xFF])
  func refusesANumberThatIsNoKey(byte: UInt8) {
    #expect(VAPIDKey(rawRepresentation: [UInt8](repeating: byte, count: 32)) == nil)
  }

  @Test(arguments: [
    "mailto:admin@clinic.org", "https://clinic.org/contact", "https://clinic.org",
    "https://clinic.org:8443/a?b",
  ])
  func contactable(subject: String) {
    #expect(VAPIDSubject.isContactable(subject))
  }

  @Test(arguments: [
    "", "admin@clinic.org", "mailto:", "mailto:admin@localhost", "mailto:a@server.local",
    "mailto:Ann <ann@clinic.org>", "mailto:a@clinic.org\r\nX: y", "http://clinic.org",
    "https://localhost", "https://127.0.0.1/", "https://clinic", "https://box.lan/", "https://",
    "https://cli nic.org", "https://user@clinic.org", "https://clinic..org",
  ])
  func notContactable(subject: String) {
    #expect(!VAPIDSubject.isContactable(subject))
  }
}
