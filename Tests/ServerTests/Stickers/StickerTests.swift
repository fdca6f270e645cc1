// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import Storage
import Testing
import TestSupport

@testable import DosePages
@testable import Web

/// Stickers: a tap prepares the answer, and nothing is logged by opening an address.
@Suite struct StickerTests {
  /// Makes a sticker and returns its path.
  static func make(
    _ browser: Browser, _ name: String = "Kitchen", subject: String = "place", time: String = ""
  ) async throws -> String {
    let made = try await browser.post(
      "/stickers", ["name": name, "subject": subject, "time": time])
    #expect(made.status == .seeOther, "\(made.text)")
    let card = try await card(browser, name)
    return String(try #require(card.firstMatch(of: /\/s\/rgn_[\w-]+/)?.output))
  }

  /// Returns the part of the stickers page about one of them.
  private static func card(_ browser: Browser, _ name: String) async throws -> String {
    let cards = try await browser.open("/stickers").text.components(
      separatedBy: "<li class=\"card\">")
    return try #require(cards.first { $0.contains(">\(name)</h3>") })
  }

  /// Returns the prepared doses of a tap, as its form would send them.
  static func prepared(_ page: TestResponse) -> [String] {
    page.text.matches(of: /name="answer" value="([^"]+)"/).map { String($0.1) }
  }

  @Test func `a tap prepares the answer, and only its form logs`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol"])
      let plan = try #require(house.doses.first?.split(separator: "_").first).description
      let path = try await Self.make(house.browser, subject: plan)
      harness.clock.advance(minutes: 65)
      let page = try await house.browser.open(path)
      #expect(page.status == .ok && page.text.contains("Take 1 tablet of Testolol, due 08:00?"))
      #expect(page.text.contains("Skip") && page.text.contains("Remind me in 10 minutes"))
      #expect(!page.text.contains("data-at-once"))
      for _ in 0..<3 { _ = try await house.browser.open(path) }
      #expect(try await house.states() == ["due"])
      let answer = try #require(Self.prepared(page).first)
      let posted = try await house.browser.post(
        "\(path)/answers", ["action": "taken", "answer": answer])
      #expect(posted.status == .seeOther)
      let next = try #require(posted.headers[.location])
      #expect(next.hasPrefix("\(path)?done=taken"))
      #expect(try await house.states() == ["taken"])
      let done = try await house.browser.open(next)
      #expect(done.text.contains("Undo") && !done.text.contains("double dose"))
      // The same press again, and a second tap, log nothing more.
      _ = try await house.browser.post("\(path)/answers", ["action": "taken", "answer": answer])
      #expect(try await house.count("SELECT COUNT(*) FROM intakes") == 1)
      let again = try await house.browser.open(path)
      #expect(again.text.contains("Nothing is due now") && again.text.contains("double dose"))
      #expect(again.text.contains("Next: Testolol, 20:00"))
      #expect(Self.prepared(again).isEmpty)
      let dose = try await house.open(0)
      #expect(dose.text.contains("Ann, by the sticker “Kitchen”"))
    }
  }

  @Test(arguments: ["skipped", "later"])
  func `skip and later are answers too`(action: String) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol"])
      let path = try await Self.make(house.browser)
      harness.clock.advance(minutes: 65)
      let answer = try #require(Self.prepared(try await house.browser.open(path)).first)
      let posted = try await house.browser.post(
        "\(path)/answers", ["action": action, "answer": answer, "minutes": "10"])
      #expect(posted.status == .seeOther)
      #expect(try await house.states() == [action])
    }
  }

  @Test func `a marked phone sends one event for a dose, and not after an undo`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol"])
      let path = try await Self.make(house.browser)
      let marked = try await house.browser.post("/stickers/phone", ["choice": "on"])
      let cookie = try #require(marked.headers[.setCookie])
      #expect(cookie.contains("HttpOnly") && cookie.contains(house.account.id.text))
      harness.clock.advance(minutes: 65)
      var headers = house.browser.headers
      headers[.cookie] =
        "\(headers[.cookie] ?? ""); \(StickerRoutes.phoneCookie)=\(house.account.id)"
      let first = try await harness.send(.get, path, headers)
      let second = try await harness.send(.get, path, headers)
      #expect(first.text.contains("data-at-once"))
      #expect(Self.prepared(first) == Self.prepared(second))
      #expect(try await house.states() == ["due"], "opening the address logged the dose")
      let answer = try #require(Self.prepared(first).first)
      for _ in 0..<2 {
        _ = try await house.browser.post(
          "\(path)/answers", ["action": "taken", "answer": answer])
      }
      #expect(try await house.count("SELECT COUNT(*) FROM answers") == 1)
      let version = try #require(try await house.dose(0)["version"]?.number?.text)
      _ = try await house.answer(0, ["action": "undo", "corrects": version])
      // The tab is restored, and sends its event again: the dose stays open.
      _ = try await house.browser.post("\(path)/answers", ["action": "taken", "answer": answer])
      #expect(try await house.states() == ["due"])
      let asks = try await harness.send(.get, path, headers)
      #expect(!asks.text.contains("data-at-once") && Self.prepared(asks).count == 1)
      // Another account's choice on the same phone does not count.
      headers[.cookie] =
        "\(house.browser.headers[.cookie] ?? ""); \(StickerRoutes.phoneCookie)=someone"
      #expect(try await harness.send(.get, path, headers).text.contains("data-at-once") == false)
    }
  }

  @Test func `strangers see one page for every sticker`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol"])
      let path = try await Self.make(house.browser)
      let revoked = try await Self.make(house.browser, "Hall")
      let hall = try await Self.card(house.browser, "Hall")
      let end = String(
        try #require(hall.firstMatch(of: /action="(\/stickers\/[^"]+\/end)"/)?.1))
      #expect(try await house.browser.post(end, [:]).status == .seeOther)
      #expect(try await house.browser.post(end, [:]).status == .notFound)
      harness.clock.advance(minutes: 65)
      let eve = try await harness.session(of: harness.makeAccount("Eve"))
      let unknown = "/s/rgn_\(String(repeating: "A", count: 43))"
      /// Returns the content of the page without its own address.
      func seen(_ address: String, _ headers: HTTPFields) async throws -> String {
        let answer = try await harness.send(.get, address, headers)
        #expect(answer.status == .notFound)
        let main = answer.text.firstMatch(of: /<main.*<\/main>/.dotMatchesNewlines())
        return String(try #require(main).output)
          .replacing(String(address.dropFirst(3)), with: "")
      }
      let visitors: [HTTPFields] = [[:], eve.headers]
      for headers in visitors {
        let pages = [
          try await seen(path, headers), try await seen(revoked, headers),
          try await seen(unknown, headers),
        ]
        #expect(Set(pages).count == 1)
        #expect(pages[0].contains("Sign in") && !pages[0].contains("Testolol"))
        #expect(!pages[0].contains("Kitchen") && !pages[0].contains("Ann"))
      }
      #expect(try await house.browser.open(revoked).status == .notFound)
      let answer = "\(house.doses[0]) 6f1c1f0e-3f0e-4b1e-8a52-0c3c5a0f9d11"
      let fields: KeyValuePairs = ["action": "taken", "answer": answer]
      for place in [path, revoked, unknown] {
        #expect(try await eve.post("\(place)/answers", fields).status == .notFound)
      }
      #expect(try await house.browser.post("\(revoked)/answers", fields).status == .notFound)
      let stranger = try await harness.submit(
        "\(path)/answers", [("action", "taken"), ("answer", answer)])
      #expect(
        stranger.status == .seeOther && stranger.headers[.location]?.hasPrefix("/sign-in") == true)
      #expect(try await house.states() == ["due"])
    }
  }

  @Test func `guesses are slowed down`() async throws {
    try await ServerHarness.run { harness in
      let eve = try await harness.session(of: harness.makeAccount("Eve"))
      var statuses: [Int] = []
      for _ in 0..<52 { statuses.append(try await eve.open("/s/rgn_x").status.code) }
      #expect(statuses.first == 404 && statuses.last == 429)
    }
  }

  @Test func `a relative who may only look can't answer by a sticker`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol"])
      let path = try await Self.make(house.browser)
      let bob = try await harness.makeAccount("Bob")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      let (patient, by) = (house.account.patient, house.account.id)
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .family, of: patient, to: bob.id, from: now, categories: [.medicines, .adherence],
          by: by, in: writer)
      }
      let relative = try await harness.session(of: bob)
      harness.clock.advance(minutes: 65)
      #expect(try await relative.open(path).status == .notFound)
      let posted = try await relative.post(
        "\(path)/answers",
        ["action": "taken", "answer": "\(house.doses[0]) 6f1c1f0e-3f0e-4b1e-8a52-0c3c5a0f9d11"])
      #expect(posted.status == .notFound)
      #expect(try await house.states() == ["due"])
    }
  }

  @Test func `a place answers for all medicines of its time`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol", "Zinc"])
      try await house.add("Other", dosage: ["timing": ["repeat": ["timeOfDay": ["07:30:00"]]]])
      let morning = try await Self.make(house.browser, "Shelf", time: "08:20")
      let noon = try await Self.make(house.browser, "Desk", time: "12:00")
      harness.clock.advance(minutes: 65)
      let page = try await house.browser.open(morning)
      #expect(page.text.contains("Take these 3 medicines now?"))
      #expect(Self.prepared(page).count == 3)
      let nothing = try await house.browser.open(noon)
      #expect(Self.prepared(nothing).isEmpty && nothing.text.contains("Nothing is due now"))
    }
  }

  @Test func `a medicine's sticker answers for no other medicine`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol", "Zinc"])
      let plan = try #require(house.doses[0].split(separator: "_").first).description
      let path = try await Self.make(house.browser, subject: plan)
      harness.clock.advance(minutes: 65)
      let other = "\(house.doses[1]) 6f1c1f0e-3f0e-4b1e-8a52-0c3c5a0f9d11"
      let posted = try await house.browser.post(
        "\(path)/answers", ["action": "taken", "answer": other])
      #expect(posted.status == .notFound)
      #expect(try await house.states() == ["due", "due"])
    }
  }

  @Test(arguments: [
    ["action": "undo", "answer": "x y"], ["action": "taken"], ["action": "taken", "answer": "x"],
    ["answer": "x y"],
  ])
  func `a garbled form answers nothing`(fields: [String: String]) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol"])
      let path = try await Self.make(house.browser)
      let posted = try await harness.submit(
        "\(path)/answers",
        fields.map { ($0.key, $0.value) } + [(ForgeryGuard.field, house.browser.formToken)],
        house.browser.headers)
      #expect(posted.status == .badRequest)
      let forged = try await house.browser.post(
        "\(path)/answers", ["action": "taken"], token: "wrong")
      #expect(forged.status == .forbidden)
    }
  }

  @Test(arguments: [
    ("", "place", ""), (String(repeating: "x", count: 61), "place", ""), ("Hall", "nothing", ""),
    ("Hall", "place", "25:00"), ("Hall\u{7}", "place", ""),
  ])
  func `a sticker needs a name and something to stand for`(
    name: String, subject: String, time: String
  ) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let made = try await house.browser.post(
        "/stickers", ["name": name, "subject": subject, "time": time])
      #expect(made.status == .unprocessableContent)
      #expect(try await house.count("SELECT COUNT(*) FROM stickers") == 0)
    }
  }

  @Test func `labels name medicines only if chosen`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol"])
      let plan = try #require(house.doses[0].split(separator: "_").first).description
      _ = try await Self.make(house.browser, "Box", subject: plan)
      let labels = try await house.browser.open("/stickers/labels").text
      #expect(labels.contains("class=\"qr-code\"") && labels.contains("Box"))
      #expect(!labels.contains("Testolol"))
      let named = try await house.browser.open("/stickers/labels?names=yes").text
      #expect(named.contains("Testolol"))
    }
  }

  @Test(arguments: Language.allCases)
  func `every page has its texts in every language`(_ language: Language) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol"])
      let path = try await Self.make(house.browser)
      harness.clock.advance(minutes: 65)
      var headers = house.browser.headers
      headers[.cookie] = "\(headers[.cookie] ?? ""); regimen-language=\(language.rawValue)"
      for address in [path, "/stickers", "/stickers/labels", "/s/x"] {
        let page = try await harness.send(.get, address, headers)
        #expect(!page.text.contains("stickers."), "a text is missing on \(address)")
      }
    }
  }

  @Test func `stickers follow the person's data`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      _ = try await Self.make(house.browser)
      let database = harness.environment.database
      let table = try #require(try await database.patientTables().first { $0.name == "stickers" })
      let patient = house.account.patient
      let count = try await database.read { try table.count(of: patient, in: $0) }
      #expect(count == 1)
    }
  }
}
