// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Operations

@Suite struct SecondStepPageTests {
  @Test func `the code is asked for on its own page after the password`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let (app, codes) = try await house.setUpApp()
      #expect(codes.count == 10)
      harness.clock.advance(minutes: 1)
      let first = try await house.signIn(next: "/medicines")
      #expect(first.status == .seeOther)
      #expect(first.headers[.location] == "/sign-in/second?next=/medicines")
      let waiting = try first.cookie()
      #expect(waiting.hasPrefix("regimen-step=rgp_"))
      let page = try await harness.send(.get, "/sign-in/second?next=/medicines", [.cookie: waiting])
      #expect(page.status == .ok)
      #expect(page.text.contains("autocomplete=\"one-time-code\""))
      #expect(page.text.contains("name=\"next\" value=\"/medicines\""))
      let code = app.code(at: harness.clock.now)
      let fields = [("code", code), ("next", "/medicines")]
      let done = try await harness.submit("/sign-in/second", fields, [.cookie: waiting])
      #expect(done.status == .seeOther, "\(done.text)")
      #expect(done.headers[.location] == "/medicines")
      let session = try done.cookie()
      #expect(try await harness.send(.get, "/api/v1/me", [.cookie: session]).status == .ok)
      // Neither the pending sign-in nor the code is valid for a second session.
      let replay = try await harness.submit("/sign-in/second", fields, [.cookie: waiting])
      #expect(replay.headers[.location] == "/sign-in?next=/medicines")
      let again = try await house.signIn().cookie()
      let used = try await harness.submit("/sign-in/second", fields, [.cookie: again])
      #expect(used.status == .unprocessableContent)
      #expect(used.headers[.setCookie] == nil)
    }
  }

  @Test func `the second step needs the first`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      _ = try await house.setUpApp()
      for cookie in ["", "regimen-step=rgp_nonsense", "regimen-step=\(house.browser.secret.text)"] {
        let headers: HTTPFields = [.cookie: cookie]
        let page = try await harness.send(.get, "/sign-in/second", headers)
        #expect(page.headers[.location] == "/sign-in")
        let posted = try await harness.submit("/sign-in/second", [("code", "123456")], headers)
        #expect(posted.headers[.location] == "/sign-in")
      }
      // The pending sign-in is not a session.
      let waiting = try await house.signIn().cookie().replacing("regimen-step", with: "regimen")
      #expect(
        try await harness.send(.get, "/api/v1/me", [.cookie: waiting]).status == .unauthorized)
    }
  }

  @Test func `wrong codes are throttled, and a recovery code works once`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let (_, codes) = try await house.setUpApp()
      let waiting: HTTPFields = [.cookie: try await house.signIn().cookie()]
      for _ in 0..<5 {
        let wrong = try await harness.submit("/sign-in/second", [("code", "000000")], waiting)
        #expect(wrong.status == .unprocessableContent)
      }
      let slowed = try await harness.submit("/sign-in/second", [("code", codes[0])], waiting)
      #expect(slowed.status == .tooManyRequests)
      #expect(slowed.headers[.retryAfter] == "1")
      harness.clock.advance(minutes: 1)
      let done = try await harness.submit("/sign-in/second", [("code", codes[0])], waiting)
      #expect(done.status == .seeOther)
      let again: HTTPFields = [.cookie: try await house.signIn().cookie()]
      let used = try await harness.submit("/sign-in/second", [("code", codes[0])], again)
      #expect(used.status == .unprocessableContent)
    }
  }

  @Test func `a password reset link doesn't bypass the second factor`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      _ = try await house.setUpApp()
      let link = try await Administration(environment: harness.environment).perform(
        .invite(email: house.account.email))
      let path = "/invitation/" + String(try #require(link.split(separator: "/").last))
      // With a second factor, eight characters are enough.
      let chosen = try await harness.submit(path, [("password", "kite5wax")])
      #expect(chosen.headers[.location] == "/sign-in/second", "\(chosen.text)")
      #expect(try chosen.cookie().hasPrefix("regimen-step="))
      #expect(try await house.browser.open("/").status == .seeOther)
    }
  }

  @Test func `a required second factor can't be removed`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      _ = try await house.setUpApp()
      let changed = try await house.browser.post(
        "/account/security/password", ["password": "kite5wax"])
      #expect(changed.status == .seeOther, "\(changed.text)")
      let browser = Browser(
        harness: harness, secret: Secret(text: String(try changed.cookie().dropFirst(8))))
      let refused = try await browser.post("/account/security/codes/remove", [:])
      #expect(refused.headers[.location] == "/account/security?done=passwordShort")
      let longer = try await browser.post(
        "/account/security/password", ["password": "kite5wax and a longer one"])
      let later = Browser(
        harness: harness, secret: Secret(text: String(try longer.cookie().dropFirst(8))))
      let removed = try await later.post("/account/security/codes/remove", [:])
      #expect(removed.headers[.location] == "/account/security?done=codesRemoved")
      #expect(
        try await house.signIn("kite5wax and a longer one").cookie().hasPrefix("regimen=rgs_"))
      let short = try await later.post("/account/security/password", ["password": "kite5wax"])
      #expect(short.status == .unprocessableContent)
      let administrator = try await AccountSecurityHouse(harness, "Eve", isAdministrator: true)
      _ = try await administrator.setUpApp()
      let needed = try await administrator.browser.post("/account/security/codes/remove", [:])
      #expect(needed.headers[.location] == "/account/security?done=factorNeeded")
    }
  }
}
