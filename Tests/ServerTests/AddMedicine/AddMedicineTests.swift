// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Localization
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Web

/// Adding a medicine in four steps, with the draft that is stored in between.
@Suite struct AddMedicineTests {
  /// Starts a draft and returns the address of its steps.
  static func start(
    _ house: DoseHouse, _ fields: [(String, String)] = metoprolol
  ) async throws -> String {
    let answer = try await house.browser.post("/medicines/new", pairs: fields)
    let location = answer.headers[.location] ?? ""
    #expect(answer.status == .seeOther && location.hasSuffix("/often"), "\(answer.text)")
    return String(location.dropLast("/often".count))
  }

  static let metoprolol = [
    ("pick", "m108"), ("name", "Metoprolol"), ("product", "tablet|50|mg"), ("form", ""),
    ("strength-value", ""), ("strength-unit", "mg"),
  ]
  static let twice = [
    ("dose-value", "1"), ("time", "07:30"), ("time-slot", ""), ("time", "18:30"),
    ("time-slot", ""), ("food", "with-food"), ("start", "2026-03-01"), ("end", ""),
  ]

  /// Saves a draft as its last page would.
  static func save(
    _ house: DoseHouse, _ draft: String, _ more: [(String, String)] = []
  ) async throws -> TestResponse {
    let page = try await house.browser.open("\(draft)/check").text
    let version = page.firstMatch(of: /name="version" value="(\d+)"/)?.output.1 ?? ""
    let seen = page.matches(of: /name="warned" value="([^"]+)"/).map { String($0.output.1) }
    return try await house.browser.post(
      "\(draft)/check",
      pairs: [("version", String(version))] + seen.map { ("warned", $0) } + more)
  }

  @Test func `four steps make one plan, however often Save is pressed`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let found = try await house.browser.open("/medicines/new?q=metoprolo").text
      #expect(found.contains("/medicines/new?pick=m108&amp;name=Metoprolol"), "\(found)")
      let which = try await house.browser.open("/medicines/new?pick=m108&name=Metoprolol").text
      #expect(which.contains("value=\"tablet|50|mg\"") && which.contains("Tablet, 50\u{a0}mg"))
      let draft = try await Self.start(house)
      let often = try await house.browser.open("\(draft)/often").text
      #expect(often.contains("Step 2 of 4: Metoprolol 50 mg"))
      let chosen = try await house.browser.post("\(draft)/often", pairs: [("often", "twice")])
      #expect(chosen.headers[.location] == "\(draft)/times")
      // The times are those of the person's routine.
      let times = try await house.browser.open("\(draft)/times").text
      for part in ["value=\"07:30\"", "value=\"18:30\"", "value=\"1\"", "value=\"2026-03-01\""] {
        #expect(times.contains(part), "\(part)")
      }
      #expect(times.contains("Our medicine list says: Take with food."))
      let set = try await house.browser.post("\(draft)/times", pairs: Self.twice)
      #expect(set.headers[.location] == "\(draft)/check", "\(set.text)")
      let check = try await house.browser.open("\(draft)/check").text
      #expect(check.contains("Metoprolol 50 mg") && check.contains("07:30, 1 tablet"), "\(check)")
      #expect(check.contains("Take with or after food."))
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)
      #expect(try await house.count("SELECT COUNT(*) FROM doses") == 0)
      let version = try #require(check.firstMatch(of: /name="version" value="(\d+)"/)?.output.1)
      let plan = draft.replacing("/medicines/new/", with: "/medicines/")
      for _ in 1...2 {
        let saved = try await house.browser.post(
          "\(draft)/check", pairs: [("version", String(version))])
        #expect(saved.headers[.location] == "\(plan)?done=added", "\(saved.text)")
      }
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 1)
      #expect(try await house.count("SELECT COUNT(*) FROM medicine_drafts") == 0)
      // A page of the draft that is still open says so.
      let late = try await house.browser.open("\(draft)/times")
      #expect(late.status == .ok && late.text.contains("Metoprolol 50 mg is already saved."))
      let again = try await house.browser.post("\(draft)/times", pairs: Self.twice)
      #expect(again.status == .conflict && again.text.contains("href=\"\(plan)\""))
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 1)
    }
  }

  @Test func `misspelled, earlier and unknown names can be chosen`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Oldolol 5 mg"])
      let found = try await house.browser.open("/medicines/new?q=aspirn").text
      #expect(
        found.contains("name=Aspirin\"") && found.contains("acetylsalicylic acid"), "\(found)")
      #expect(found.contains("/medicines/new?name=aspirn"))
      let list = try await house.browser.open("/medicines/new/suggestions.json?q=oldo")
      let first = try list.json()["medicines"]?[0]
      #expect(first?["name"]?.string == "Oldolol 5 mg", "\(list.text)")
      let address = try #require(first?["address"]?.string)
      #expect(try await house.browser.open(address).text.contains("value=\"Oldolol 5 mg\""))
      #expect(try await house.browser.open("/medicines/new?plan=another").status == .notFound)
      let typed = try await house.browser.open("/medicines/new?name=Myst%3Cb%3E").text
      #expect(typed.contains("value=\"Myst&lt;b&gt;\"") && typed.contains("name=\"form\""))
      let unknown = try await house.browser.open("/medicines/new?q=xqzwv").text
      #expect(unknown.contains("Not in our list"))
    }
  }

  @Test func `no input is lost by an error or another window`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let nameless = try await house.browser.post(
        "/medicines/new", pairs: [("name", " "), ("form", "liquid"), ("strength-value", "1.500")])
      #expect(nameless.status == .unprocessableContent)
      for kept in ["href=\"#field-name\"", "value=\"1.500\"", "value=\"liquid\" selected"] {
        #expect(nameless.text.contains(kept), "\(kept)")
      }
      let both = try await house.browser.post(
        "/medicines/new", pairs: Self.metoprolol.filter { $0.0 != "form" } + [("form", "capsule")])
      #expect(both.status == .unprocessableContent)
      #expect(both.text.contains("href=\"#field-product\""), "\(both.text)")

      let draft = try await Self.start(house)
      let unanswered = try await house.browser.post("\(draft)/often", pairs: [])
      #expect(unanswered.status == .unprocessableContent)
      #expect(unanswered.text.contains("id=\"field-often\""))
      _ = try await house.browser.post("\(draft)/often", pairs: [("often", "weekdays")])
      let wrong = try await house.browser.post(
        "\(draft)/times",
        pairs: [
          ("dose-value", "0"), ("time", "21:15"), ("food", "empty-stomach"),
          ("start", "2026-03-05"), ("end", "2026-03-01"),
        ])
      #expect(wrong.status == .unprocessableContent)
      for part in ["#field-dose-value", "#field-weekday", "#field-end"] {
        #expect(wrong.text.contains("href=\"\(part)\""), "\(part)")
      }
      // Another window, and another device, show the input.
      let elsewhere = try await harness.session(of: house.account)
      let reloaded = try await elsewhere.open("\(draft)/times").text
      for page in [wrong.text, reloaded] {
        for kept in [
          "value=\"21:15\"", "value=\"empty-stomach\" selected", "value=\"2026-03-05\"",
          "value=\"2026-03-01\"",
        ] {
          #expect(page.contains(kept), "\(kept)")
        }
      }
      let resumed = try await elsewhere.open("/medicines/new").text
      #expect(resumed.contains("href=\"\(draft)/times\""), "\(resumed)")
      // A mistake blocks the last step.
      let early = try await house.browser.open("\(draft)/check")
      #expect(early.headers[.location] == "\(draft)/times?missing=yes")
      #expect(
        try await house.browser.open("\(draft)/times?missing=yes").text
          .contains("href=\"#field-weekday\""))
    }
  }

  @Test func `an empty time is an error, and a third can be added`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let draft = try await Self.start(house)
      _ = try await house.browser.post("\(draft)/often", pairs: [("often", "twice")])
      let one = try await house.browser.post(
        "\(draft)/times",
        pairs: [("dose-value", "1"), ("time", "08:00"), ("time", ""), ("start", "2026-03-01")])
      #expect(one.status == .unprocessableContent && one.text.contains("href=\"#field-time\""))
      let more = try await house.browser.post(
        "\(draft)/times", pairs: Self.twice + [("more", "time")])
      #expect(more.status == .ok && !more.text.contains("value=\"time\" data-more"))
      #expect(more.text.contains("value=\"18:30\""))
      // Another answer sets its own times and keeps the amount.
      _ = try await house.browser.post(
        "\(draft)/times", pairs: [("dose-value", "0.5")] + Self.twice.dropFirst())
      _ = try await house.browser.post("\(draft)/often", pairs: [("often", "once")])
      let once = try await house.browser.open("\(draft)/times").text
      #expect(once.contains("value=\"0.5\"") && once.contains("value=\"07:30\""))
      #expect(!once.contains("value=\"18:30\""))
    }
  }

  @Test func `an amount belongs to its form: 5 ml never become 5 tablets`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let liquid = [("name", "Amoxicillin"), ("form", "liquid"), ("strength-value", "")]
      let draft = try await Self.start(house, liquid)
      _ = try await house.browser.post("\(draft)/often", pairs: [("often", "once")])
      _ = try await house.browser.post(
        "\(draft)/times", pairs: [("dose-value", "5"), ("time", "08:00"), ("start", "2026-03-01")])
      // The same form again keeps the amount.
      _ = try await house.browser.post(draft, pairs: liquid)
      #expect(try await house.browser.open("\(draft)/times").text.contains("value=\"5\""))
      _ = try await house.browser.post(
        draft,
        pairs: [
          ("name", "Amoxicillin"), ("form", "capsule"), ("strength-value", "250"),
          ("strength-unit", "mg"),
        ])
      let led = try await house.browser.open("\(draft)/check")
      #expect(led.headers[.location] == "\(draft)/times?missing=yes")
      _ = try await house.browser.post("\(draft)/often", pairs: [("often", "once")])
      let times = try await house.browser.open("\(draft)/times").text
      #expect(!times.contains("value=\"5\"") && times.contains("name=\"dose-value\""))
      #expect(times.contains("value=\"1\"") && times.contains("value=\"08:00\""))
    }
  }

  @Test func `a draft is private and removed with the person or after 30 days`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let draft = try await Self.start(house)
      let other = try await harness.session(of: harness.makeAccount("Bob"))
      for address in ["", "/often", "/times", "/check", "/details"] {
        #expect(try await other.open(draft + address).status == .notFound, "\(address)")
      }
      for address in ["", "/often", "/times", "/check", "/discard"] {
        let answer = try await other.post(
          draft + address, pairs: [("often", "once"), ("version", "1")])
        #expect(answer.status == .notFound, "\(address)")
      }
      #expect(!(try await other.open("/medicines/new").text).contains(draft))
      let discarded = try await house.browser.post("\(draft)/discard", pairs: [])
      #expect(discarded.headers[.location] == "/medicines/new")
      #expect(try await house.browser.open("\(draft)/often").status == .notFound)

      // At most five at a time, and one per name.
      for number in 1...7 {
        _ = try await Self.start(house, [("name", "Medicine \(number)")])
        harness.clock.advance(minutes: 1)
      }
      _ = try await Self.start(house, [("name", "Medicine 7")])
      #expect(try await house.count("SELECT COUNT(*) FROM medicine_drafts") == 5)
      let now = harness.clock.now
      for (days, left) in [(Int64(29), Int64(5)), (31, 0)] {
        let before = now.adding(milliseconds: (days - 30) * 24 * 3_600_000)
        let gone = try await harness.environment.database.write { writer in
          try MedicineDrafts.forget(before: before, limit: 500, in: writer)
        }
        #expect(gone == Int(5 - left))
        #expect(try await house.count("SELECT COUNT(*) FROM medicine_drafts") == left)
      }
    }
  }

  @Test func `changes from another window are not saved unseen`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let draft = try await Self.start(house)
      _ = try await house.browser.post("\(draft)/often", pairs: [("often", "twice")])
      _ = try await house.browser.post("\(draft)/times", pairs: Self.twice)
      let check = try await house.browser.open("\(draft)/check").text
      let version = try #require(check.firstMatch(of: /name="version" value="(\d+)"/)?.output.1)
      _ = try await house.browser.post(
        "\(draft)/times", pairs: [("dose-value", "2")] + Self.twice.dropFirst())
      let stale = try await house.browser.post(
        "\(draft)/check", pairs: [("version", String(version))])
      #expect(stale.status == .conflict && stale.text.contains("changed in another window"))
      #expect(stale.text.contains("2 tablets"))
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)
      #expect(try await Self.save(house, draft).status == .seeOther)
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 1)
    }
  }

  @Test(arguments: Language.allCases)
  func `every step is available in every language`(language: Language) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let draft = try await Self.start(house)
      for often in ["hours", "weekdays", "days", "needed", "twice"] {
        _ = try await house.browser.post("\(draft)/often", pairs: [("often", often)])
        for step in ["/medicines/new?q=met", draft, "\(draft)/often", "\(draft)/times"] {
          try await Self.expectWords(harness, house, step, language)
        }
      }
      _ = try await house.browser.post("\(draft)/times", pairs: Self.twice)
      try await Self.expectWords(harness, house, "\(draft)/check", language)
    }
  }

  private static func expectWords(
    _ harness: ServerHarness, _ house: DoseHouse, _ address: String, _ language: Language
  ) async throws {
    var headers = house.browser.headers
    headers[.acceptLanguage] = language.rawValue
    let page = try await harness.send(.get, address, headers)
    #expect(page.status == .ok, "\(address)")
    #expect(page.text.contains("<html lang=\"\(language.rawValue)\""))
    #expect(page.text.firstMatch(of: /\b(add-medicine|medicines)\.[a-z]+[a-z.\-]*\b/) == nil)
  }
}
