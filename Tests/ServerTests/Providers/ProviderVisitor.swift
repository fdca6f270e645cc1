// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing
import TestSupport

@testable import Web

/// A browser that goes to a provider and returns.
enum ProviderVisitor {
  static func run(
    _ test: @escaping @Sendable (ServerHarness, FakeProvider) async throws -> Void
  ) async throws {
    let clock = TestClock()
    let fake = FakeProvider { clock.now }
    try await ServerHarness.run(providers: fake.providers) { harness in
      try await test(harness, fake)
    }
  }

  /// The state of a browser on its way to the provider and back.
  struct Visit {
    let state: String
    let cookie: String
    let query: FormBody
  }

  static func begin(
    _ harness: ServerHarness, _ fake: FakeProvider, _ headers: HTTPFields = [:],
    at provider: String = "city", next: String? = nil
  ) async throws -> Visit {
    let path = "/sign-in/with/\(provider)" + (next.map { "?next=\($0)" } ?? "")
    let answer = try await harness.send(.get, path, headers)
    #expect(answer.status == .seeOther, "\(answer.text)")
    let location = try #require(answer.headers[.location])
    let query = FormBody(
      pairs: FormBody.pairs(of: String(location.drop { $0 != "?" }.dropFirst())))
    let cookie = try #require(answer.headers[.setCookie])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
    fake.state.withLock {
      $0.nonce = query.text("nonce") ?? ""
      $0.challenge = query.text("code_challenge") ?? ""
    }
    return Visit(
      state: try #require(query.text("state")), cookie: String(cookie.prefix { $0 != ";" }),
      query: query)
  }

  static func comeBack(
    _ harness: ServerHarness, _ visit: Visit, _ headers: HTTPFields = [:],
    at provider: String = "city", query: String? = nil, cookie: String? = nil
  ) async throws -> TestResponse {
    var headers = headers
    let own = headers[.cookie].map { "\($0); " } ?? ""
    headers[.cookie] = own + (cookie ?? visit.cookie)
    return try await harness.send(
      .get, "/sign-in/with/\(provider)/return?\(query ?? "code=a-code&state=\(visit.state)")",
      headers)
  }

  /// Links the provider's identity to an account, by all the steps of a person.
  static func link(
    _ harness: ServerHarness, _ fake: FakeProvider, _ browser: Browser, at provider: String = "city"
  ) async throws -> TestResponse {
    let visit = try await begin(harness, fake, browser.headers, at: provider)
    let page = try await comeBack(harness, visit, browser.headers, at: provider)
    #expect(page.status == .ok, "\(page.text)")
    let ticket = try #require(page.text.firstMatch(of: /name="ticket" value="([^"]+)"/)).1
    return try await browser.post("/identities", ["ticket": String(ticket)])
  }
}
