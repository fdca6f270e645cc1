// SPDX-License-Identifier: Apache-2.0

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
