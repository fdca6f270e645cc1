// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import AccountPages
@testable import Web

@Suite struct SessionListTests {
  @Test func `sessions are listed with their device, and this one is marked`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let start = SessionStart(kind: .passing, device: "Firefox, Android")
      let other = try await harness.environment.signIn.openSession(
        for: house.account, as: start, at: harness.clock.now)
      let page = try await house.browser.open("/account/security")
      #expect(page.text.contains("Firefox, Android"))
      let id = Hexadecimal.encode(other.digest)
      #expect(page.text.contains("/account/security/sessions/\(id)"))
      // No button ends the current session: that is signing out.
      #expect(
        !page.text.contains(
          "/account/security/sessions/\(Hexadecimal.encode(house.browser.secret.digest))"))
      let ended = try await house.browser.post("/account/security/sessions/\(id)", [:])
      #expect(ended.headers[.location] == "/account/security?done=ended")
      let phone = Browser(harness: harness, secret: other)
      #expect(try await phone.open("/api/v1/me").status == .unauthorized)
      #expect(try await house.browser.open("/api/v1/me").status == .ok)
      #expect(
        try await house.browser.post("/account/security/sessions/\(id)", [:]).status == .notFound)
    }
  }

  @Test func `signing out everywhere ends this session too`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let phone = try await harness.session(of: house.account)
      let others = try await house.browser.post("/account/security/sessions", ["which": "others"])
      #expect(others.headers[.location] == "/account/security?done=endedAll")
      #expect(try await phone.open("/api/v1/me").status == .unauthorized)
      #expect(try await house.browser.open("/api/v1/me").status == .ok)
      let all = try await house.browser.post("/account/security/sessions", ["which": "all"])
      #expect(all.headers[.location] == "/sign-in")
      #expect(all.headers[values: .setCookie].contains { $0.hasPrefix("regimen-signed-out=yes;") })
      #expect(try await house.browser.open("/api/v1/me").status == .unauthorized)
    }
  }

  @Test func `a new password ends all earlier sessions`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let phone = try await harness.session(of: house.account)
      let token = try await harness.token(of: house.account)
      #expect(try await phone.open("/api/v1/me").status == .ok)
      #expect(try await harness.send(.get, "/api/v1/me", token).status == .ok)
      let changed = try await house.browser.post(
        "/account/security/password", ["password": "eight blue bicycles"])
      #expect(changed.headers[.location] == "/account/security?done=password")
      #expect(try await phone.open("/api/v1/me").status == .unauthorized)
      #expect(try await house.browser.open("/api/v1/me").status == .unauthorized)
      #expect(try await harness.send(.get, "/api/v1/me", token).status == .unauthorized)
      let own: HTTPFields = [.cookie: try changed.cookie()]
      #expect(try await harness.send(.get, "/api/v1/me", own).status == .ok)
      #expect(try await house.signIn().status == .unprocessableContent)
      #expect(try await house.signIn("eight blue bicycles").status == .seeOther)
    }
  }

  @Test(arguments: [
    ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
    (
      "Mozilla/5.0 (Linux; Android 16; Pixel) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
      "Chrome, Android"
    ),
    (
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1",
      "Safari, iPhone"
    ),
    (
      "Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"
    ),
    ("curl/8.0", ""), ("<script>", ""), ("", ""),
  ])
  func `a device is named by browser and system`(userAgent: String, words: String) {
    #expect(DeviceName.words(of: userAgent) == words)
  }
}
