// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import NIOCore
import Storage
import Testing
import TestSupport

@testable import DosePages
@testable import Web

/// The secret addresses of widgets and watch faces, the badge, and the shortcuts of the app.
@Suite struct WidgetTests {
  @Test func `a widget shows the day, and medicines only if chosen`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol", "Zinc"])
      let path = try await Self.make(house.browser)
      let named = try await Self.make(house.browser, names: true)
      let before = try await harness.send(.get, path)
      #expect(before.status == .ok)
      #expect(before.headers[.contentType] == "application/json; charset=utf-8")
      #expect(before.headers[.cacheControl] == "no-store")
      let early = try before.json()
      #expect(early["open"] == .number(JSONNumber(0)) && early["text"] == "Next dose at 08:00")
      #expect(early["next"]?["at"]?.string == "2026-03-01T08:00:00+00:00")
      #expect(early["next"]?["count"] == .number(JSONNumber(2)))
      harness.clock.advance(minutes: 65)
      let due = try await harness.send(.get, path).json()
      #expect(due["open"] == .number(JSONNumber(2)) && due["text"] == "2 doses to take")
      #expect(due["planned"] == .number(JSONNumber(4)) && due["taken"] == .number(JSONNumber(0)))
      #expect(due["due"]?.array?.first?["time"] == "08:00")
      #expect(due["person"] == nil)
      #expect(!before.text.contains("Testolol") && !before.text.contains("Ann"))
      _ = try await house.answer(0, ["action": "taken"])
      let taken = try await harness.send(.get, path)
      #expect(try taken.json()["open"] == .number(JSONNumber(1)))
      #expect(try taken.json()["taken"] == .number(JSONNumber(1)))
      #expect(!taken.text.contains("medicine"))
      let text = try await harness.send(.get, named).json()
      #expect(text["due"]?.array?.first?["medicine"] == "Zinc, 1 tablet")
      #expect(text["next"]?["medicines"]?.array?.count == 2)
    }
  }

  @Test func `the image is a PNG file of the same day`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol"])
      let path = try await Self.make(house.browser)
      let picture = try await harness.send(.get, "\(path)/picture.png")
      #expect(picture.status == .ok && picture.headers[.contentType] == "image/png")
      let bytes = Array(buffer: picture.body)
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
      #expect(bytes.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
      #expect(bytes.count < 8_000)
      harness.clock.advance(minutes: 65)
      let later = try await harness.send(.get, "\(path)/picture.png")
      #expect(Array(buffer: later.body) != bytes)
    }
  }

  @Test(arguments: [(0, 0, 0), (1, 5, 5), (42, 7, 3), (500, 1, 9)])
  func `every day has an image`(open: Int, taken: Int, planned: Int) {
    let bytes = WidgetPicture(open: open, taken: taken, planned: planned).bytes
    #expect(bytes.count > 1000)
  }

  @Test func `an address is shown once, expires and needs a recent sign-in`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let path = try await Self.make(browser)
      let page = try await browser.open("/widgets").text
      #expect(!page.contains("rgw_") && page.contains("Not read yet"))
      _ = try await harness.send(.get, path)
      let read = try await browser.open("/widgets").text
      #expect(read.contains("Last read"))
      let end = try #require(read.firstMatch(of: /action="(\/widgets\/[^"]+\/end)"/)?.1)
      #expect(try await browser.post(String(end), [:]).status == .seeOther)
      #expect(try await harness.send(.get, path).status == .notFound)
      #expect(try await browser.post(String(end), [:]).status == .notFound)
      harness.clock.advance(minutes: 40)
      let asked = try await browser.post("/widgets", [:])
      #expect(
        asked.headers[.location]?.hasPrefix("/account/security/prove?next=") == true)
    }
  }

  @Test func `no more than twenty addresses`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      for _ in 0..<20 { _ = try await Self.make(browser) }
      let full = try await browser.post("/widgets", [:])
      #expect(full.status == .unprocessableContent)
      #expect(full.text.contains("limit of 20 addresses"))
    }
  }

  @Test(arguments: ["rgw_x", "x", "rgw_\(String(repeating: "A", count: 300))", "%00"])
  func `invalid addresses are not found`(secret: String) async throws {
    try await ServerHarness.run { harness in
      for end in ["", "/picture.png"] {
        let status = try await harness.send(.get, "/widget/\(secret)\(end)").status
        #expect((400..<500).contains(Int(status.code)), "\(secret) \(status)")
      }
    }
  }

  @Test func `an address ends with the grant or by the person`() async throws {
    try await ServerHarness.run { harness in
      let (ann, bob) = (
        try await Person.make(harness), try await Person.make(harness, "Bob")
      )
      let (accounts, now, patient) = (
        harness.environment.accounts, harness.clock.now, ann.account.patient
      )
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .family, of: patient, to: bob.account.id, from: now,
          categories: [.medicines, .adherence], by: ann.account.id, in: writer)
      }
      harness.environment.sessions.forget()
      var relative = try await harness.session(of: bob.account)
      relative.person = patient
      let path = try await Self.make(relative)
      let other = try await Self.make(relative)
      // A viewer of several people is told which one.
      #expect(try await harness.send(.get, path).json()["person"] != nil)
      let own = try await harness.session(of: ann.account)
      let page = try await own.open("/widgets").text
      #expect(page.contains("Addresses created by others") && page.contains("Bob"))
      let end = try #require(page.firstMatch(of: /action="(\/widgets\/[^"]+\/end)"/)?.1)
      #expect(try await own.post(String(end), [:]).status == .seeOther)
      let statuses = [
        try await harness.send(.get, path).status, try await harness.send(.get, other).status,
      ]
      #expect(statuses.filter { $0 == .ok }.count == 1)
      let ended = harness.clock.now
      try await harness.environment.database.write { writer in
        try writer.execute(
          "UPDATE grants SET ends = $1 WHERE account = $2 AND patient = $3",
          [SQLValue(ended), .text(bob.account.id), .text(patient)])
      }
      #expect(try await harness.send(.get, path).status == .notFound)
      #expect(try await harness.send(.get, other).status == .notFound)
    }
  }

  @Test func `the badge counts unanswered doses`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol", "Zinc"])
      func badge() async throws -> JSONValue? {
        try await house.browser.open("/device/badge").json()["open"]
      }
      #expect(try await badge() == .number(JSONNumber(0)))
      harness.clock.advance(minutes: 65)
      #expect(try await badge() == .number(JSONNumber(2)))
      _ = try await house.answer(0, ["action": "taken"])
      #expect(try await badge() == .number(JSONNumber(1)))
    }
  }

  @Test(arguments: Language.allCases)
  func `the app has shortcuts and page texts in every language`(_ language: Language) async throws {
    try await ServerHarness.run { harness in
      let manifest = try await harness.send(
        .get, "/manifest.webmanifest", [.acceptLanguage: language.rawValue]
      ).json()
      let shortcuts = try #require(manifest["shortcuts"]?.array)
      let addresses = shortcuts.compactMap { $0["url"]?.string }
      #expect(addresses == ["/#now", "/entry", "/emergency-card", "/ring"])
      #expect(shortcuts.allSatisfy { $0["name"]?.string?.contains(".") == false })
      let browser = try await harness.session(of: harness.makeAccount())
      _ = try await Self.make(browser)
      var headers = browser.headers
      headers[.cookie] = "\(headers[.cookie] ?? ""); regimen-language=\(language.rawValue)"
      let page = try await harness.send(.get, "/widgets", headers)
      #expect(page.status == .ok && !page.text.contains("widgets.own"), "a text is missing")
    }
  }

  /// Creates an address, and returns its path.
  private static func make(_ browser: Browser, names: Bool = false) async throws -> String {
    let made =
      names
      ? try await browser.post("/widgets", ["names": "yes"])
      : try await browser.post("/widgets", [:])
    #expect(made.status == .ok, "\(made.text)")
    return String(try #require(made.text.firstMatch(of: /\/widget\/rgw_[\w-]+/)?.output))
  }
}
