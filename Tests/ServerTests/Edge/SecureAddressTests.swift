// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import Testing

@testable import Server

/// Whether a browser reaches the server over https, and what follows from it.
@Suite struct SecureAddressTests {
  private static let address = "/preferences?theme=dark"

  @Test(
    arguments: [
      ("https://med.example.org", nil, nil, true), ("http://med.example.org", nil, "https", false),
      (nil, "10.0.0.9", "https", true), (nil, "10.0.0.9", "http", false),
      (nil, "10.0.0.9", nil, false), (nil, "10.0.0.8", "https", false), (nil, nil, "https", false),
    ] as [(String?, String?, String?, Bool)])
  func `https is believed of the operator and of trusted proxies alone`(
    publicURL: String?, peer: String?, forwarded: String?, isSecure: Bool
  ) async throws {
    try await ServerHarness.run { harness in
      let server = harness.with(
        ServerSettings(publicURL: publicURL, homeZone: "UTC", trustedProxies: ["10.0.0.9"]))
      var headers = HTTPFields()
      headers[.xForwardedProto] = forwarded
      let answer = try await server.respond(
        Self.address, host: "localhost", peer: peer, headers)
      #expect((answer.headers[.strictTransportSecurity] != nil) == isSecure)
      #expect((answer.headers[.setCookie]?.hasSuffix("; Secure") ?? false) == isSecure)
    }
  }

  @Test func `over https the session's cookie is bound to its host`() async throws {
    try await ServerHarness.run { harness in
      let secure = harness.with(
        ServerSettings(
          publicURL: "https://med.example.org", homeZone: "UTC", trustedProxies: []))
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
