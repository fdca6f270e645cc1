// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import Testing

@testable import Web

/// The detection of https, and its consequences.
@Suite struct SecureAddressTests {
  private static let address = "/preferences?theme=dark"
  private static let host = "med.example.org"

  private func settings(
    _ publicURL: String? = nil, _ proxies: [String] = []
  ) throws -> ServerSettings {
    ServerSettings(
      publicURL: publicURL, homeZone: "UTC",
      trustedProxies: try proxies.map { try #require(NetworkRange($0)) })
  }

  @Test(
    arguments: [
      ("https://med.example.org", nil, nil, true), ("http://med.example.org", nil, "https", false),
      ("http://med.example.org", "10.0.0.9", "https", false),
      (nil, "10.0.0.9", "https", true), (nil, "10.0.0.9", "http", false),
      (nil, "10.0.0.9", nil, false), (nil, "10.0.0.8", "https", false), (nil, nil, "https", false),
      (nil, "127.0.0.1", "https", false),
      // A socket for IPv4 and IPv6 reports IPv4 peers in IPv6 form.
      (nil, "::ffff:10.0.0.9", "https", true), (nil, "::ffff:10.0.0.8", "https", false),
      (nil, "10.1.77.3", "https", true), (nil, "10.2.0.1", "https", false),
      (nil, "fd00::9", "https", true), (nil, "fd00::8", "https", false),
      // Several proxies in a row: the first value may be the client's own.
      (nil, "10.0.0.9", "https, https", true), (nil, "10.0.0.9", "https,http", false),
      (nil, "10.0.0.9", "http, https", false), (nil, "10.0.0.9", "HTTPS", true),
      (nil, "10.0.0.9", "", false), (nil, "10.0.0.9", "https,", false),
      (nil, "10.0.0.9", "https://", false),
    ] as [(String?, String?, String?, Bool)])
  func `https is trusted only from the operator and trusted proxies`(
    publicURL: String?, peer: String?, forwarded: String?, isSecure: Bool
  ) async throws {
    let settings = try settings(publicURL, ["10.0.0.9", "10.1.0.0/16", "fd00::9"])
    try await ServerHarness.run { harness in
      var headers = HTTPFields()
      headers[.xForwardedProto] = forwarded
      let answer = try await harness.with(settings).respond(
        Self.address, host: Self.host, peer: peer, headers)
      #expect((answer.headers[.strictTransportSecurity] != nil) == isSecure)
      #expect((answer.headers[.setCookie]?.hasSuffix("; Secure") ?? false) == isSecure)
    }
  }

  @Test(
    arguments: [
      ("10.0.0.9", true), ("10.0.0.8", false), ("::ffff:10.0.0.9", true),
      ("::ffff:10.0.0.8", false), ("fd00::8", false), ("192.168.1.7", false),
      // This machine itself, and peers without an address.
      ("127.0.0.1", true), ("::1", true), ("::ffff:127.0.0.1", true), (nil, true),
    ] as [(String?, Bool)])
  func `no one bypasses the proxies to the plain port`(peer: String?, isLetIn: Bool) async throws {
    let settings = try settings(nil, ["10.0.0.9"])
    try await ServerHarness.run { harness in
      let server = harness.with(settings)
      // A client's claims about itself change nothing.
      var headers: HTTPFields = [.xForwardedProto: "https"]
      for name in ["X-Forwarded-For", "X-Real-IP", "Forwarded"] {
        let field = try #require(HTTPField.Name(name))
        headers[field] = name == "Forwarded" ? "for=10.0.0.9;proto=https" : "10.0.0.9"
      }
      for address in ["/welcome", "/robots.txt", "/trust", "/fhir/metadata"] {
        let answer = try await server.respond(address, host: Self.host, peer: peer, headers)
        #expect((answer.status == .ok) == isLetIn, "\(address)")
        #expect((answer.status == .forbidden) != isLetIn, "\(address)")
      }
      let health = try await server.respond("/health", host: Self.host, peer: peer, headers)
      #expect(health.status == .ok)
    }
  }

  @Test func `without proxies anyone who reaches the port is accepted`() async throws {
    let settings = try settings()
    try await ServerHarness.run { harness in
      let answer = try await harness.with(settings).respond(host: Self.host, peer: "10.0.0.8")
      #expect(answer.status == .ok)
    }
  }

  @Test func `over https the session's cookie is bound to its host`() async throws {
    let settings = try settings("https://med.example.org")
    try await ServerHarness.run { harness in
      let secure = harness.with(settings)
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      let secret = browser.secret.text
      let bound = try await secure.respond(
        "/api/v1/me", host: "localhost", [.cookie: "__Host-regimen=\(secret)"])
      #expect(bound.status == .ok)
      let plain = try await secure.respond(
        "/api/v1/me", host: "localhost", [.cookie: "regimen=\(secret)"])
      #expect(plain.status == .unauthorized)
    }
  }
}
