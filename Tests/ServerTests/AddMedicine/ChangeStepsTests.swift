// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdTesting
import Localization
import Storage
import Testing
import TestSupport

@testable import MedicinePages
@testable import Plans
@testable import Web

/// Changing a medicine by a single step, with a draft that detects changes by others.
@Suite struct ChangeStepsTests {
  /// Adds metoprolol twice a day and returns the address of its page.
  private func added(_ house: DoseHouse) async throws -> String {
    let draft = try await AddMedicineTests.start(house)
    _ = try await house.browser.post("\(draft)/often", pairs: [("often", "twice")])
    _ = try await house.browser.post("\(draft)/times", pairs: AddMedicineTests.twice)
    #expect(try await AddMedicineTests.save(house, draft).status == .seeOther)
    return draft.replacing("/medicines/new/", with: "/medicines/")
  }

  /// Saves a change as its last page would.
  private func save(_ house: DoseHouse, _ medicine: String) async throws -> TestResponse {
    try await house.browser.post(
      "\(medicine)/change/check", pairs: try await hidden(house, medicine))
  }

  private func hidden(_ house: DoseHouse, _ medicine: String) async throws -> [(String, String)] {
    let page = try await house.browser.open("\(medicine)/change/check").text
    return page.matches(of: /name="(version|plan-version|warned)" value="([^"]+)"/).map {
      (String($0.output.1), String($0.output.2))
    }
  }

  @Test func `each step of a change opens separately and returns to the check`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let medicine = try await added(house)
      let page = try await house.browser.open(medicine).text
      for step in ["", "/often", "/times"] {
        #expect(page.contains("href=\"\(medicine)/change\(step)\""), "\(step)")
      }
      let which = try await house.browser.open("\(medicine)/change").text
      #expect(which.contains("value=\"Metoprolol\"") && which.contains("value=\"50\""))
      #expect(which.contains("Change Metoprolol 50 mg"), "\(which)")
      let times = try await house.browser.open("\(medicine)/change/times").text
      for part in ["value=\"07:30\"", "value=\"18:30\"", "name=\"dose-value\""] {
        #expect(times.contains(part), "\(part)")
      }
      // Viewing stores nothing, and there is nothing to check yet.
      #expect(try await house.count("SELECT COUNT(*) FROM medicine_drafts") == 0)
      let early = try await house.browser.open("\(medicine)/change/check")
      #expect(early.headers[.location] == medicine)
      let slots = times.matches(of: /name="time-slot" value="(\d+)"/).map { String($0.output.1) }
      #expect(slots.count == 2)
      let set = try await house.browser.post(
        "\(medicine)/change/times",
        pairs: [
          ("dose-value", "2"), ("time-slot", slots[0]), ("time", "08:15"), ("time-slot", slots[1]),
          ("time", "18:30"), ("food", "with-food"), ("start", "2026-03-01"), ("end", ""),
        ])
      #expect(set.headers[.location] == "\(medicine)/change/check", "\(set.text)")
      let check = try await house.browser.open("\(medicine)/change/check").text
      #expect(check.contains("Until now: ") && check.contains("2 tablets"), "\(check)")
      #expect(try await house.browser.open(medicine).text.contains("1 tablet"))
      let saved = try await save(house, medicine)
      #expect(saved.headers[.location] == "\(medicine)?done=saved", "\(saved.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM medicine_drafts") == 0)
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 1)
      let after = try await house.browser.open("\(medicine)/change/times").text
      #expect(after.contains("value=\"08:15\"") && after.contains("value=\"2\""))
      // Fields outside of the steps keep their values.
      #expect(try await house.browser.open(medicine).text.contains("Take with or after food."))
    }
  }

  @Test func `input is kept and can be discarded`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let medicine = try await added(house)
      let wrong = try await house.browser.post(
        "\(medicine)/change/times",
        pairs: [("dose-value", "0"), ("time", "09:45"), ("time", "21:45"), ("start", "2026-03-01")])
      #expect(wrong.status == .unprocessableContent)
      let elsewhere = try await harness.session(of: house.account)
      let kept = try await elsewhere.open("\(medicine)/change/times").text
      #expect(kept.contains("value=\"21:45\"") && kept.contains("saved yet"), "\(kept)")
      let blocked = try await elsewhere.open("\(medicine)/change/check")
      #expect(blocked.headers[.location] == "\(medicine)/change/times?missing=yes")
      let discarded = try await elsewhere.post("\(medicine)/change/discard", pairs: [])
      #expect(discarded.headers[.location] == medicine)
      let fresh = try await elsewhere.open("\(medicine)/change/times").text
      #expect(fresh.contains("value=\"07:30\"") && !fresh.contains("value=\"21:45\""))
    }
  }

  @Test func `a medicine changed by someone else is not overwritten`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let medicine = try await added(house)
      _ = try await house.browser.post("\(medicine)/change/often", pairs: [("often", "once")])
      _ = try await house.browser.post(
        "\(medicine)/change/times",
        pairs: [("dose-value", "1"), ("time", "07:30"), ("start", "2026-03-01")])
      let old = try await hidden(house, medicine)
      // Meanwhile the strength is changed in the long form.
      let form = try await house.browser.open("\(medicine)/edit").text
      let version = try #require(form.firstMatch(of: /name="version" value="(\d+)"/)?.output.1)
      let other = try await house.browser.post(
        "\(medicine)/edit",
        pairs: [
          ("version", String(version)), ("name", "Metoprolol"), ("form", "tablet"),
          ("strength-value", "100"), ("strength-unit", "mg"), ("dose-value", "1"),
          ("schedule", "times"), ("time", "07:30"), ("time", "18:30"), ("start", "2026-03-01"),
          ("policy", "follow"),
        ])
      #expect(other.status == .seeOther, "\(other.text)")
      let stale = try await house.browser.post("\(medicine)/change/check", pairs: old)
      #expect(stale.status == .conflict, "\(stale.text)")
      #expect(stale.text.contains("was changed after you started"))
      // The change is applied on top of the newer strength once it was seen.
      #expect(stale.text.contains("Metoprolol 100 mg"))
      let page = try await house.browser.open(medicine).text
      #expect(page.contains("100 mg") && page.contains("18:30"))
      let saved = try await save(house, medicine)
      #expect(saved.headers[.location] == "\(medicine)?done=saved", "\(saved.text)")
      let after = try await house.browser.open("\(medicine)/change/times").text
      #expect(after.contains("Metoprolol 100 mg") && !after.contains("value=\"18:30\""))
    }
  }

  @Test func `a new form needs a new amount, and patterns open in the long form`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let medicine = try await added(house)
      let changed = try await house.browser.post(
        "\(medicine)/change",
        pairs: [
          ("name", "Metoprolol"), ("form", "liquid"), ("strength-value", "50"),
          ("strength-unit", "mg"),
        ])
      #expect(changed.headers[.location] == "\(medicine)/change/check", "\(changed.text)")
      let check = try await house.browser.open("\(medicine)/change/check")
      #expect(check.headers[.location] == "\(medicine)/change/times?missing=yes")
      let long = try await house.browser.post(
        "\(medicine)/change/often", pairs: [("often", "else")])
      #expect(long.headers[.location] == "\(medicine)/edit")
      _ = try await house.browser.post("\(medicine)/change/discard", pairs: [])
      let version = try #require(
        try await house.browser.open("\(medicine)/edit").text
          .firstMatch(of: /name="version" value="(\d+)"/)?.output.1)
      let cycle = try await house.browser.post(
        "\(medicine)/edit",
        pairs: [
          ("version", String(version)), ("name", "Metoprolol"), ("form", "tablet"),
          ("dose-value", "1"), ("schedule", "cycle"), ("cycle-on", "21"), ("cycle-off", "7"),
          ("cycle-time", "08:00"), ("start", "2026-03-01"), ("policy", "follow"),
        ])
      #expect(cycle.status == .seeOther, "\(cycle.text)")
      #expect(
        try await house.browser.open("\(medicine)/change/times").headers[.location]
          == "\(medicine)/edit")
      // Its name can still be changed by the step, and the pattern stays.
      let named = try await house.browser.post(
        "\(medicine)/change",
        pairs: [
          ("name", "Metoprolol"), ("form", "tablet"), ("strength-value", "25"),
          ("strength-unit", "mg"),
        ])
      #expect(named.headers[.location] == "\(medicine)/change/check", "\(named.text)")
      #expect(try await save(house, medicine).headers[.location] == "\(medicine)?done=saved")
      let edit = try await house.browser.open("\(medicine)/edit").text
      #expect(edit.contains("name=\"cycle-on\"") && edit.contains("value=\"21\""))
    }
  }

  @Test
  func `another's draft is refused with a message`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let medicine = try await added(house)
      let draft = try await AddMedicineTests.start(house, [("name", "Testolol")])
      let other = try await harness.session(of: harness.makeAccount("Bob"))
      for step in ["", "/often", "/times", "/check"] {
        #expect(try await other.open("\(medicine)/change\(step)").status == .notFound, "\(step)")
        let refused = try await other.open(draft + step)
        #expect(refused.status == .notFound && !refused.text.contains("Testolol"), "\(step)")
        #expect(refused.text.contains("only the person who started one can open it"))
      }
      let posted = try await other.post("\(medicine)/change/discard", pairs: [])
      #expect(posted.status == .notFound)
      // The same text as for a draft that never existed.
      let none = try await other.open("/medicines/new/never-was/often")
      #expect(none.status == .notFound && none.text.contains("only the person who started one"))
    }
  }

  @Test(arguments: Language.allCases)
  func `the steps of a change are available in every language`(language: Language) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let medicine = try await added(house)
      _ = try await house.browser.post("\(medicine)/change/often", pairs: [("often", "three")])
      var headers = house.browser.headers
      headers[.acceptLanguage] = language.rawValue
      for address in ["", "/change", "/change/often", "/change/times", "/change/check"] {
        let page = try await harness.send(.get, medicine + address, headers)
        #expect(page.status == .ok, "\(address)")
        #expect(page.text.firstMatch(of: /\b(add-medicine|medicines)\.[a-z]+[a-z.\-]*\b/) == nil)
      }
    }
  }
}
