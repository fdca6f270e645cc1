// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Web

@Suite struct DeviceSignInTests {
  /// Starts on the first device; returns its page and the address in the QR code.
  private func begin(_ house: AccountSecurityHouse) async throws -> (page: String, link: String) {
    let begun = try await house.browser.post("/account/security/device", [:])
    let page = try #require(begun.headers[.location])
    let shown = try await house.browser.open(page)
    #expect(shown.status == .ok && shown.text.contains("qr-code"))
    #expect(shown.headers[.refresh] == "3")
    let (accounts, now, account) = (
      house.harness.environment.accounts, house.harness.clock.now, house.account.id
    )
    let id = String(page.dropFirst("/account/security/device/".count))
    let found = try await house.harness.environment.database.read { reader in
      try accounts.deviceSignIn(id: id, of: account, at: now, in: reader)
    }
    return (page, "/sign-in/device/\(try #require(found).secret.text)")
  }

  @Test func `a device that scans the code is signed in once approved`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let (page, link) = try await begin(house)
      #expect(try await harness.send(.get, link).status == .ok)
      let claimed = try await harness.submit(link, [])
      #expect(claimed.headers[.location] == "/sign-in/device")
      let step: HTTPFields = [.cookie: try claimed.cookie()]
      // The QR code is valid for one device.
      #expect(try await harness.submit(link, []).status == .notFound)
      #expect(try await harness.send(.get, link).status == .notFound)
      let waiting = try await harness.send(.get, "/sign-in/device", step)
      #expect(waiting.headers[.refresh] == "3")
      let number = try #require(waiting.text.firstMatch(of: /<strong>(\d\d)<\/strong>/)).1
      #expect(try await house.browser.open(page).text.contains("<strong>\(number)</strong>"))
      // There is no session before the confirmation.
      #expect(try await harness.submit("/sign-in/device", [], step).status == .notFound)
      let yes = try await house.browser.post(page, ["action": "allow"])
      #expect(yes.headers[.location] == "/account/security?done=letIn")
      let opened = try await harness.submit("/sign-in/device", [], step)
      #expect(opened.status == .seeOther)
      let session: HTTPFields = [.cookie: try opened.cookie()]
      #expect(try await harness.send(.get, "/api/v1/me", session).status == .ok)
      #expect(try await harness.submit("/sign-in/device", [], step).status == .notFound)
    }
  }

  @Test func `no one is signed in after a refusal or after five minutes`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let (page, link) = try await begin(house)
      let step: HTTPFields = [.cookie: try await harness.submit(link, []).cookie()]
      #expect(
        try await house.browser.post(page, ["action": "decline"]).headers[.location]
          == "/account/security?done=declined")
      #expect(try await harness.send(.get, "/sign-in/device", step).status == .notFound)
      #expect(try await house.browser.post(page, ["action": "allow"]).status == .notFound)
      let (late, other) = try await begin(house)
      let claim: HTTPFields = [.cookie: try await harness.submit(other, []).cookie()]
      _ = try await house.browser.post(late, ["action": "allow"])
      harness.clock.advance(minutes: 5)
      #expect(try await harness.submit("/sign-in/device", [], claim).status == .notFound)
      #expect(try await house.browser.open(late).status == .notFound)
    }
  }

  @Test func `another account can neither see nor approve the request`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let bob = try await AccountSecurityHouse(harness, "Bob")
      let (page, link) = try await begin(house)
      _ = try await harness.submit(link, [])
      #expect(try await bob.browser.open(page).status == .notFound)
      #expect(try await bob.browser.post(page, ["action": "allow"]).status == .notFound)
    }
  }
}
