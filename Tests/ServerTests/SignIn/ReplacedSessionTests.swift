// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Web

/// Every way to sign in ends the browser's previous session.
@Suite struct ReplacedSessionTests {
  /// Adds a cookie to those of a browser.
  private static func headers(_ browser: Browser, with cookie: String? = nil) -> HTTPFields {
    let own = "regimen=\(browser.secret.text)"
    return [.cookie: cookie.map { "\(own); \($0)" } ?? own, .secFetchSite: "same-origin"]
  }

  /// Checks that the answer opens a session and that the browser's previous one has ended.
  private static func check(_ answer: TestResponse, replaces browser: Browser) async throws {
    #expect(answer.status == .seeOther, "\(answer.text)")
    let cookie = try #require(
      answer.headers[values: .setCookie].first { $0.hasPrefix("regimen=rgs_") })
    let new: HTTPFields = [.cookie: String(cookie.prefix { $0 != ";" })]
    let harness = browser.harness
    let opened = try await harness.send(.get, "/api/v1/me", new)
    #expect(opened.status == .ok)
    let former = try await browser.open("/api/v1/me")
    #expect(former.status == .unauthorized)
  }

  @Test func `signing in with a provider`() async throws {
    try await ProviderVisitor.run { harness, fake in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      _ = try await ProviderVisitor.link(harness, fake, browser)
      let visit = try await ProviderVisitor.begin(harness, fake)
      let answer = try await ProviderVisitor.comeBack(harness, visit, Self.headers(browser))
      try await Self.check(answer, replaces: browser)
    }
  }

  @Test func `accepting an invitation`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      let line = try await Administration(environment: harness.environment).perform(
        .createAccount(email: "bob@example.org", password: nil, isAdministrator: false))
      let link = try #require(line.range(of: "/invitation/"))
      let answer = try await harness.submit(
        String(line[link.lowerBound...]), [("password", AccountSecurityHouse.password)],
        Self.headers(browser))
      try await Self.check(answer, replaces: browser)
    }
  }

  @Test func `signing in with another device`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let browser = try await harness.session(of: harness.makeAccount("Bob"))
      let begun = try await house.browser.post("/account/security/device", [:])
      let page = try #require(begun.headers[.location])
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      let found = try await harness.environment.database.read { reader in
        try accounts.deviceSignIn(
          id: String(page.dropFirst("/account/security/device/".count)), of: house.account.id,
          at: now,
          in: reader)
      }
      let secret = try #require(found).secret
      let step = try await harness.submit(
        "/sign-in/device/\(secret.text)", [], Self.headers(browser)
      ).cookie()
      _ = try await house.browser.post(page, ["action": "allow"])
      let answer = try await harness.submit(
        "/sign-in/device", [], Self.headers(browser, with: step))
      try await Self.check(answer, replaces: browser)
    }
  }

  @Test func `the second step`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let (app, _) = try await house.setUpApp()
      harness.clock.advance(minutes: 1)
      let step = try await house.signIn().cookie()
      let answer = try await harness.submit(
        "/sign-in/second", [("code", app.code(at: harness.clock.now))],
        Self.headers(house.browser, with: step))
      try await Self.check(answer, replaces: house.browser)
    }
  }
}
