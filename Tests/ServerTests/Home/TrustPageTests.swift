// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Localization
@testable import Operations
@testable import Web

@Suite struct TrustPageTests {
  /// Runs a server with its own certificates.
  private func run(
    _ test: @escaping @Sendable (ServerHarness, HomeCertificates) async throws -> Void
  ) async throws {
    let house = try HomeHouse()
    let home = try house.open()
    try await ServerHarness.run { harness in
      var settings = ServerSettings(publicURL: nil, homeZone: "UTC", trustedProxies: [])
      settings.servesHTTPS = true
      try await test(harness.with(settings, home: home), home)
    }
  }

  @Test(arguments: Language.allCases)
  func `the page has steps for each platform`(language: Language) async throws {
    try await run { server, home in
      let (response, text) = try await server.read(
        "/trust", host: "192.168.1.20:8443", [.cookie: "regimen-language=\(language.rawValue)"])
      #expect(response.status == .ok)
      #expect(text.contains("lang=\"\(language.rawValue)\""))
      for group in home.authority.fingerprint.split(separator: ":") {
        #expect(text.contains(group))
      }
      #expect(text.contains(home.authority.name))
      #expect(text.contains("https://192.168.1.20:8443/trust"))
      #expect(text.contains("href=\"/trust/authority.crt\""))
      #expect(text.contains("href=\"/trust/authority.mobileconfig\""))
      #expect(text.contains("role=\"img\""))
      #expect(text.matches(of: /<details/).count == TrustPlatform.allCases.count)
      #expect(!text.contains("trust."), "a raw key")
    }
  }

  @Test func `every step in the catalogue is shown`() {
    for platform in TrustPlatform.allCases {
      let steps = Catalogue.of(.en).messages.keys
        .filter { $0.hasPrefix("trust.\(platform.rawValue).") && !$0.hasSuffix(".name") }
      #expect(steps.count == platform.steps, "\(platform)")
    }
  }

  @Test func `the authority is downloaded as the certificate itself`() async throws {
    try await run { server, home in
      let (response, bytes) = try await server.readBytes(
        "/trust/authority.crt", host: "localhost")
      #expect(response.headers[.contentType] == "application/x-x509-ca-cert")
      #expect(bytes == home.authority.der)
    }
  }

  @Test func `the iPhone profile contains the authority`() async throws {
    try await run { server, home in
      let (response, bytes) = try await server.readBytes(
        "/trust/authority.mobileconfig", host: "localhost")
      #expect(response.headers[.contentType] == "application/x-apple-aspen-config")
      let list = try #require(
        try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
          as? [String: Any])
      #expect(list["PayloadType"] as? String == "Configuration")
      #expect(list["PayloadDisplayName"] as? String == home.authority.name)
      let identifier = try #require(list["PayloadUUID"] as? String)
      #expect(UUID(uuidString: identifier) != nil)
      let payloads = try #require(list["PayloadContent"] as? [[String: Any]])
      let payload = try #require(payloads.first)
      #expect(payloads.count == 1)
      #expect(payload["PayloadType"] as? String == "com.apple.security.root")
      #expect(payload["PayloadContent"] as? Data == Data(home.authority.der))
      #expect(payload["PayloadUUID"] as? String != identifier)
      let (_, again) = try await server.readBytes(
        "/trust/authority.mobileconfig", host: "localhost")
      #expect(again == bytes)
    }
  }

  @Test func `without own certificates there is nothing to trust`() async throws {
    try await ServerHarness.run { harness in
      let page = try await harness.send(.get, "/trust")
      #expect(page.status == .ok)
      #expect(!page.text.contains("authority.crt"))
      for address in ["/trust/authority.crt", "/trust/authority.mobileconfig"] {
        #expect(try await harness.send(.get, address).status == .notFound)
      }
    }
  }

  @Test func `cookies need https, and home certificates send no HSTS`() async throws {
    try await run { server, _ in
      for host in ["192.168.1.20:8443", "kitchen.local:8443", "med.example.org"] {
        let answer = try await server.respond("/preferences?theme=dark", host: host)
        #expect(answer.headers[.setCookie]?.hasSuffix("; Secure") == true)
        #expect(answer.headers[.strictTransportSecurity] == nil)
      }
      _ = try await server.makeAccount()
      let (_, page) = try await server.read("/sign-in", host: "localhost")
      #expect(page.contains("href=\"/trust\""))
    }
  }
}
