// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import Operations

@Suite struct InvitationTests {
  /// Creates an account by invitation and returns the path of the link.
  private func invite(_ harness: ServerHarness) async throws -> String {
    let line = try await Administration(environment: harness.environment).perform(
      .createAccount(email: "bob@example.org", password: nil, isAdministrator: false))
    let path = try #require(line.range(of: "/invitation/"))
    return String(line[path.lowerBound...])
  }

  @Test func `an invitation is used once and signs in`() async throws {
    try await ServerHarness.run { harness in
      let link = try await invite(harness)
      let page = try await harness.send(.get, link)
      #expect(page.status == .ok)
      #expect(page.text.contains("bob@example.org"))
      let taken = try await harness.submit(link, [("password", SignInTests.password)])
      #expect(taken.status == .seeOther, "\(taken.text)")
      #expect(taken.headers[.location] == "/start")
      let cookie = try #require(taken.headers[.setCookie]?.split(separator: ";").first)
      let me = try await harness.send(.get, "/api/v1/me", [.cookie: String(cookie)])
      #expect(me.status == .ok)
      #expect(try await harness.send(.get, link).status == .notFound)
      let again = try await harness.submit(link, [("password", "another long password")])
      #expect(again.status == .notFound)
      let signedIn = try await harness.submit(
        "/sign-in", [("email", "bob@example.org"), ("password", SignInTests.password)])
      #expect(signedIn.headers[.location] == "/")
    }
  }

  @Test(arguments: ["", "short", "bob@example.org", "aaaaaaaaaaaaaaaa"])
  func `a bad password is explained, and the link stays valid`(password: String) async throws {
    try await ServerHarness.run { harness in
      let link = try await invite(harness)
      let refused = try await harness.submit(link, [("password", password)])
      #expect(refused.status == .unprocessableContent)
      #expect(refused.text.contains("href=\"#field-password\""))
      #expect(refused.headers[.setCookie] == nil)
      #expect(try await harness.send(.get, link).status == .ok)
    }
  }

  @Test func `an invitation expires after 7 days`() async throws {
    try await ServerHarness.run { harness in
      let link = try await invite(harness)
      harness.clock.advance(minutes: 7 * 24 * 60 - 1)
      #expect(try await harness.send(.get, link).status == .ok)
      harness.clock.advance(minutes: 1)
      #expect(try await harness.send(.get, link).status == .notFound)
      let late = try await harness.submit(link, [("password", SignInTests.password)])
      #expect(late.status == .notFound)
    }
  }

  @Test(arguments: ["x", "rgi_x", "%2e%2e", "%F0%9F%92%8A"])
  func `an invalid link is not found`(secret: String) async throws {
    try await ServerHarness.run { harness in
      _ = try await invite(harness)
      #expect(try await harness.send(.get, "/invitation/\(secret)").status == .notFound)
    }
  }

  @Test func `an invited person without a password can't sign in`() async throws {
    try await ServerHarness.run { harness in
      _ = try await invite(harness)
      let answer = try await harness.submit(
        "/sign-in", [("email", "bob@example.org"), ("password", "")])
      #expect(answer.status == .unprocessableContent)
    }
  }
}
