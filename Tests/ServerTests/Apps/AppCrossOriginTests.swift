// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import Web

/// Browser apps of other sites get tokens if the operator names their origin.
@Suite struct AppCrossOriginTests {
  private static let origin = "https://app.example.org"
  private static let paths = ["/oauth/token", "/oauth/revoke", "/oauth/introspect"]

  private func post(
    _ path: String, from origin: String, _ house: AppHouse
  ) async throws -> TestResponse {
    try await house.harness.submit(
      path, [("client_id", house.app), ("token", "rga_unknown")],
      [.origin: origin, .secFetchSite: "cross-site"])
  }

  @Test func `a named origin may read the answers of the token endpoint`() async throws {
    let allowed = try #require(CrossOrigins(list: Self.origin))
    try await ServerHarness.run(crossOrigins: allowed) { harness in
      let house = try await AppHouse(harness)
      for path in Self.paths {
        let answer = try await post(path, from: Self.origin, house)
        #expect([.ok, .badRequest].contains(answer.status), "\(path)")
        #expect(answer.headers[.accessControlAllowOrigin] == Self.origin, "\(path)")
        let other = try await post(path, from: "https://other.example", house)
        #expect(other.headers[.accessControlAllowOrigin] == nil, "\(path)")
      }
      let asked = try await harness.send(
        .options, "/oauth/token",
        [.origin: Self.origin, .accessControlRequestMethod: "POST"])
      #expect(asked.status == .noContent)
      #expect(asked.headers[.accessControlAllowOrigin] == Self.origin)
    }
  }

  @Test func `a named origin may read what apps need to connect`() async throws {
    let allowed = try #require(CrossOrigins(list: Self.origin))
    try await ServerHarness.run(crossOrigins: allowed) { harness in
      for path in [
        "/.well-known/smart-configuration", "/fhir/.well-known/smart-configuration",
        "/.well-known/openid-configuration", "/oauth/jwks", "/oauth/smart-style.json",
      ] {
        let answer = try await harness.send(.get, path, [.origin: Self.origin])
        #expect(answer.status == .ok, "\(path)")
        #expect(answer.headers[.accessControlAllowOrigin] == Self.origin, "\(path)")
        #expect(answer.headers[.vary]?.contains("Origin") == true, "\(path)")
        let other = try await harness.send(.get, path, [.origin: "https://other.example"])
        #expect(other.headers[.accessControlAllowOrigin] == nil, "\(path)")
      }
      // The pages of the sign-in and the decision are for no program.
      for path in ["/oauth/authorize", "/oauth/consent", "/oauth/register", "/me/apps"] {
        let answer = try await harness.send(.get, path, [.origin: Self.origin])
        #expect(answer.headers[.accessControlAllowOrigin] == nil, "\(path)")
      }
      let asked = try await harness.send(
        .options, "/fhir/Patient",
        [.origin: Self.origin, .accessControlRequestMethod: "GET"])
      let names = asked.headers[.accessControlAllowHeaders]?.split(separator: ",").map {
        $0.drop { $0 == " " }
      }
      #expect(names?.contains("Authorization") == true && names?.contains("DPoP") == true)
    }
  }

  @Test func `the style of the tokens' answer is served`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let tokens = try await house.exchange(try await house.code()).json()
      let address = try #require(tokens["smart_style_url"]?.string)
      #expect(address == "http://localhost/oauth/smart-style.json")
      let style = try await harness.send(.get, "/oauth/smart-style.json")
      #expect(style.headers[.contentType]?.hasPrefix("application/json") == true)
      let json = try style.json()
      for name in [
        "color_background", "color_error", "color_highlight", "color_success", "color_txt",
        "dim_border_radius", "dim_font_size", "dim_spacing_size",
      ] { #expect(json[name]?.string?.isEmpty == false, "\(name)") }
    }
  }

  @Test func `without named origins no other site reads anything`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      for path in Self.paths {
        let answer = try await post(path, from: Self.origin, house)
        #expect(answer.headers[.accessControlAllowOrigin] == nil, "\(path)")
      }
    }
  }
}
