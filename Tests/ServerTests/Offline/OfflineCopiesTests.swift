// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import Storage
import TestSupport
import Testing

@testable import Web

/// The pages that a device may keep, the key that opens them, and the choice to keep none.
@Suite struct OfflineCopiesTests {
  private static let keyPath = "/device/offline/key"

  @Test func `the key belongs to the session, and pages carry its id`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount()
      let one = try await harness.session(of: ann)
      let other = try await harness.session(of: ann)
      let first = try await one.open(Self.keyPath).json()
      let again = try await one.open(Self.keyPath).json()
      let second = try await other.open(Self.keyPath).json()
      #expect(first["account"]?.string == ann.id.text)
      #expect(first["key"]?.string?.isEmpty == false && first["key"] == again["key"])
      #expect(first["key"] != second["key"] && first["session"] != second["session"])
      let mark = try #require(first["session"]?.string)
      for address in ["/", "/emergency-card", "/entry"] {
        let page = try await one.open(address)
        #expect(page.status == .ok && page.text.contains(" data-offline=\"\(mark)\""), "\(address)")
        let made = "data-made=\"\(harness.clock.now.milliseconds)\""
        #expect(page.text.contains(made), "for a device whose clock is wrong")
        #expect(!page.text.contains(try #require(first["key"]?.string)))
      }
    }
  }

  @Test func `copies can be opened for a week, at most during the session`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let week = try await browser.open(Self.keyPath).json()["lasts"]
      #expect(week == .number(JSONNumber(OfflineCopies.longest)))
      // The session ends after a year, regardless of use.
      for _ in 0..<13 {
        harness.clock.advance(minutes: 28 * 24 * 60)
        _ = try await browser.open("/me")
      }
      let left = try await browser.open(Self.keyPath).json()["lasts"]
      #expect(left == .number(JSONNumber(Int64(24 * 3_600_000))))
    }
  }

  @Test func `a shared device stores nothing`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount()
      let secret = try await harness.environment.signIn.openSession(
        for: ann, as: SessionStart(kind: .passing), at: harness.clock.now)
      let browser = Browser(harness: harness, secret: secret)
      #expect(try await browser.open(Self.keyPath).json()["key"] == nil)
      let plain = try await browser.open("/").text
      #expect(!plain.contains(" data-offline=") && !plain.contains(" data-made="))
      let page = try await browser.open("/device/offline").text
      #expect(page.contains("others use this device too"))
      #expect(!page.contains("name=\"keep\""))
    }
  }

  @Test func `storing pages on a device can be turned off and on`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      #expect(try await browser.open("/device/offline").text.contains("value=\"off\""))
      let off = try await browser.post("/device/offline", ["keep": "off"])
      #expect(off.status == .seeOther)
      #expect(off.headers[.setCookie]?.hasPrefix("regimen-offline=no;") == true)
      var headers = browser.headers
      headers[.cookie] = "\(headers[.cookie] ?? ""); regimen-offline=no"
      #expect(try await harness.send(.get, Self.keyPath, headers).json()["key"] == nil)
      #expect(try await !harness.send(.get, "/", headers).text.contains(" data-offline="))
      let page = try await harness.send(.get, "/device/offline", headers).text
      #expect(page.contains("This device doesn’t save pages.") && page.contains("value=\"on\""))
      let on = try await browser.post("/device/offline", ["keep": "on"])
      #expect(on.headers[.setCookie]?.contains("Max-Age=0") == true)
      #expect(try await browser.post("/device/offline", ["keep": "maybe"]).status == .badRequest)
      let forged = try await browser.post("/device/offline", ["keep": "off"], token: "x")
      #expect(forged.status == .forbidden)
    }
  }

  @Test func `visitors and tokens get no key`() async throws {
    try await ServerHarness.run { harness in
      #expect(try await harness.send(.get, Self.keyPath).status == .seeOther)
      let token = try await harness.token(of: harness.makeAccount())
      #expect(try await harness.send(.get, Self.keyPath, token).status == .forbidden)
    }
  }

  @Test func `viewers only store the day`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let browser = try await house.connect(
        harness.makeAccount("Bob"), .family, categories: [.medicines, .adherence])
      let page = try await browser.open("/").text
      #expect(page.contains(/data-offline="[0-9a-f]{16} view"/))
    }
  }

  @Test(arguments: Language.allCases)
  func `the settings page is available in every language`(_ language: Language) async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      var headers = browser.headers
      headers[.cookie] = "\(headers[.cookie] ?? ""); regimen-language=\(language.rawValue)"
      let page = try await harness.send(.get, "/device/offline?done=saved", headers)
      #expect(page.status == .ok)
      #expect(!page.text.contains("offline.page."), "a text is missing")
    }
  }
}
