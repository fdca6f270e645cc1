// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdTesting
import Testing

@testable import DosePages
@testable import FHIRAPI
@testable import ImportPages
@testable import Presentation
@testable import Server
@testable import Web

/// The properties of routes: the size of the body, and where they are served.
@Suite struct RoutePropertyTests {
  @Test func `only file uploads accept large bodies`() async throws {
    try await ServerHarness.run { harness in
      let server = try RegimenServer(environment: harness.environment)
      let settings = harness.environment.settings
      let form = 64 * 1024
      let allowances = (server.routes + server.hostRoutes).reduce(into: [String: Int]()) {
        guard let allowance = $1.allowance else { return }
        $0["\($1.method.rawValue) \($1.path)"] = allowance.bytes(settings)
      }
      #expect(
        allowances == [
          "POST /import": settings.maximumUpload + form,
          "POST /api/v1/imports": settings.maximumUpload,
          "POST /me/health-profile/photo": PhotoReader.maximumFile + form,
          "POST /diary/entries/:entry/photos": PhotoReader.maximumFile + form,
          "POST /chat/:conversation/photo": PhotoReader.maximumFile + form,
          "POST /medicines/:plan/appearance/photos/:place": PhotoReader.maximumFile + form,
          "POST /alarms/sounds/file": SoundRoutes.maximumFile + form,
          "POST /heart-rate/import": HeartImportPages.maximumFile + form,
          "POST /administration/import": ImportOptions.maximumBytes,
          "POST /fhir": BundleRoutes.largest,
          "POST /administration/health-import": HealthImportRoutes.maximumFile,
        ])
      let table = BodyAllowances(server.routes)
      #expect(table.allowance(for: .post, at: "/chat/1/photo") != nil)
      #expect(table.allowance(for: .get, at: "/chat/1/photo") == nil)
      #expect(table.allowance(for: .post, at: "/medicines/1/appearance/photos/0") != nil)
      #expect(table.allowance(for: .post, at: "/medicines/1/appearance/photos/0/remove") == nil)
      #expect(table.allowance(for: .post, at: "/administration/import") == nil)
    }
  }

  @Test func `a body announced as too large is refused before it is sent`() async throws {
    try await ServerHarness.run { harness in
      let limit = harness.environment.settings.maximumBody
      let length: HTTPFields = [.contentLength: String(limit + 1)]
      for address in ["/sign-in", "/nowhere", "/medicines/1/appearance/photos/0/remove"] {
        let answer = try await harness.send(.post, address, length)
        #expect(answer.status == .contentTooLarge, "\(address)")
      }
      let file = try await harness.send(.post, "/import", length)
      #expect(file.status != .contentTooLarge)
    }
  }

  @Test func `the operator's routes are those of the host`() async throws {
    try await ServerHarness.run { harness in
      let server = try RegimenServer(environment: harness.environment)
      let closed = server.hostRoutes.filter { !$0.isOnHost || $0.needsData }
      #expect(closed.map(\.path) == [])
      #expect(server.routes.filter(\.isOnHost).map(\.path) == [])
      let free = server.routes.filter { !$0.needsData && !$0.path.hasPrefix("/assets/") }
      #expect(
        free.map(\.path) == [
          "/health", "/robots.txt", "/.well-known/smart-configuration",
          "/fhir/.well-known/smart-configuration", "/.well-known/openid-configuration",
          "/oauth/smart-style.json",
        ])
    }
  }
}
