// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Web

@Suite struct StepUpTests {
  /// Every page that asks, and the page to which its form returns.
  @Test(
    arguments: [
      ("/privacy/erase", nil), ("/account/security/codes", nil),
      ("/account/security/passkeys", nil),
      ("/account/security/password", nil), ("/people/share", nil), ("/privacy/export", "/privacy"),
      ("/account/security/recovery", "/account/security"),
      ("/account/security/codes/remove", "/account/security"),
      ("/account/security/passkeys/any", "/account/security"), ("/status/clock", "/status"),
      ("/privacy/erase", "/privacy/erase"), ("/people/access/any", "/people"),
    ] as [(String, String?)])
  func `critical actions ask for reauthentication`(address: String, from: String?) async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      func visit() async throws -> TestResponse {
        from == nil
          ? try await house.browser.open(address) : try await house.browser.post(address, [:])
      }
      let asked = "/account/security/prove?next=\(QueryText.encode(from ?? address))"
      #expect(try await visit().headers[.location] != asked)
      harness.clock.advance(minutes: 31)
      let answer = try await visit()
      #expect(answer.status == .seeOther)
      #expect(answer.headers[.location] == asked)
    }
  }

  @Test func `the password reauthenticates and renews the session's secret`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      harness.clock.advance(minutes: 60)
      let page = try await house.browser.open(
        "/account/security/prove?next=/account/security/password")
      #expect(page.text.contains("name=\"password\"") && !page.text.contains("name=\"code\""))
      let wrong = try await house.browser.post("/account/security/prove", ["password": "wrong"])
      #expect(wrong.status == .unprocessableContent)
      let done = try await house.browser.post(
        "/account/security/prove",
        ["password": AccountSecurityHouse.password, "next": "/account/security/password"])
      #expect(done.headers[.location] == "/account/security/password")
      #expect(try await house.browser.open("/").status == .seeOther)
      let cookie: HTTPFields = [.cookie: try done.cookie()]
      #expect(try await harness.send(.get, "/account/security/password", cookie).status == .ok)
    }
  }

  @Test
  func `reauthentication guesses are throttled separately from sign-in`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      for _ in 0..<5 {
        _ = try await house.browser.post("/account/security/prove", ["password": "guess"])
      }
      let slowed = try await house.browser.post(
        "/account/security/prove", ["password": AccountSecurityHouse.password])
      #expect(slowed.status == .tooManyRequests)
      // Guesses at one must not lock the owner out of the other.
      #expect(try await house.signIn().status == .seeOther)
    }
  }

  @Test func `administration needs more than a password`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness, isAdministrator: true)
      let (app, _) = try await house.setUpApp()
      // The session was proved by a password.
      let asked = try await house.browser.post("/status/clock", [:])
      #expect(asked.headers[.location] == "/account/security/prove?next=/status")
      harness.clock.advance(minutes: 1)
      let code = app.code(at: harness.clock.now)
      let done = try await house.browser.post(
        "/account/security/prove", ["code": code, "next": "/status"])
      #expect(done.headers[.location] == "/status", "\(done.text)")
      let proved = Browser(
        harness: harness, secret: Secret(text: String(try done.cookie().dropFirst(8))))
      let clock = try await proved.post("/status/clock", [:])
      #expect(clock.headers[.location]?.hasPrefix("/account/security/prove") != true)
      // A code is valid for one proof.
      let again = try await proved.post("/account/security/prove", ["code": code])
      #expect(again.status == .unprocessableContent)
    }
  }

  @Test func `others' settings ask for reauthentication, own settings don't`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let child = try await harness.makeAccount("Kim")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .guardian, of: child.patient, to: house.account.id, from: now, in: writer)
      }
      harness.environment.sessions.forget()
      harness.clock.advance(minutes: 16)
      var browser = house.browser
      browser.person = house.account.patient
      let pages = ["/me/account", "/me/routine", "/me/health-profile", "/me/contacts"]
      for page in pages { #expect(try await browser.open(page).status == .ok, "\(page)") }
      browser.person = child.patient
      for page in pages {
        let asked = try await browser.open(page)
        #expect(asked.headers[.location] == "/account/security/prove?next=\(page)")
      }
    }
  }

  @Test func `an administrator without a second factor must set one up`() async throws {
    try await ServerHarness.run(requiresSecondFactor: true) { harness in
      let house = try await AccountSecurityHouse(harness, isAdministrator: true)
      for address in ["/", "/medicines", "/status", "/privacy"] {
        let led = try await house.browser.open(address)
        #expect(led.headers[.location] == "/account/security?next=\(QueryText.encode(address))")
      }
      let api = try await house.browser.open("/api/v1/me")
      #expect(api.status == .forbidden)
      #expect(try api.json()["code"]?.string == "second-factor")
      #expect(try await house.browser.open("/account/security").status == .ok)
      _ = try await house.setUpApp()
      #expect(try await house.browser.open("/").status == .ok)
      // Tokens are created on the host and have no second factor to ask for.
      let token = try await harness.token(of: house.account)
      #expect(try await harness.send(.get, "/api/v1/me", token).status == .ok)
    }
  }

  @Test func `other people need none, and a new administrator has a day`() async throws {
    try await ServerHarness.run(requiresSecondFactor: true) { harness in
      let ann = try await AccountSecurityHouse(harness)
      #expect(try await ann.browser.open("/").status == .ok)
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      let secret = try await harness.environment.signIn.openSession(
        for: eve, as: SessionStart(proof: .link), at: harness.clock.now)
      let first = Browser(harness: harness, secret: secret)
      #expect(try await first.open("/").status == .ok)
      harness.clock.advance(minutes: 24 * 60)
      #expect(try await first.open("/").headers[.location] == "/account/security?next=/")
    }
  }

  @Test func `a practitioner needs a second factor from the first grant on`() async throws {
    try await ServerHarness.run(requiresSecondFactor: true) { harness in
      let doctor = try await AccountSecurityHouse(harness, "Doc")
      let ann = try await harness.makeAccount("Ann")
      #expect(try await doctor.browser.open("/").status == .ok)
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .practitioner, of: ann.patient, to: doctor.account.id, from: now, in: writer)
      }
      harness.environment.sessions.forget()
      #expect(try await doctor.browser.open("/").headers[.location] == "/account/security?next=/")
    }
  }
}
