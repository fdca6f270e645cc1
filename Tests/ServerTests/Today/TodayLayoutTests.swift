// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Localization
import TestSupport
import Testing

@testable import DosePages
@testable import Dosing
@testable import Plans
@testable import Web

/// The layout of Today: the head, a card for each time, and a row for each medicine.
@Suite struct TodayLayoutTests {
  @Test func `the header shows how much of the day is taken`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      harness.clock.advance(minutes: 65)
      let before = try await house.browser.open("/").text
      #expect(before.contains("0 of 4 taken"))
      #expect(before.contains("stroke-dasharray=\"0 100\""))
      #expect(before.contains("Good morning, Ann · Sunday 1 March 2026"))
      _ = try await house.answer(0, ["action": "taken"])
      _ = try await house.answer(1, ["action": "skipped", "reason": "unwell"])
      let after = try await house.browser.open("/").text
      #expect(after.contains("1 of 4 taken"))
      #expect(after.contains("stroke-dasharray=\"25 100\""))
    }
  }

  @Test func `without doses nothing is counted`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let page = try await browser.open("/").text
      #expect(!page.contains("id=\"progress\""))
      #expect(page.contains("Good morning, Ann"))
    }
  }

  @Test(arguments: [
    (3, "Hello"), (4, "Good morning"), (12, "Good afternoon"), (17, "Good evening"), (22, "Hello"),
  ])
  func `the greeting follows the time of day`(hour: Int, greeting: String) {
    #expect(TodayHead.greeting("Ann", hour: hour, .of(.en)) == "\(greeting), Ann")
  }

  @Test func `doses of one time share a card, whose main action is also pinned`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      harness.clock.advance(minutes: 65)
      let page = try await house.browser.open("/").text
      #expect(page.components(separatedBy: "class=\"slot slot-now\"").count == 2)
      #expect(page.components(separatedBy: "intake intake-now").count == 3)
      #expect(page.components(separatedBy: "id=\"pinned\"").count == 2)
      #expect(page.components(separatedBy: "Take all 2 now").count == 3)
      // The shared time limit of both is shown once.
      #expect(page.components(separatedBy: "It can still be taken until").count == 2)
      for dose in house.doses {
        #expect(page.contains("id=\"dose-\(dose)\" data-answers=\"\(dose)\" data-part=\"due 1\""))
      }
    }
  }

  @Test func `a single dose is pinned by name`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      let page = try await house.browser.open("/").text
      #expect(page.contains("Taken: Metoprolol"))
      #expect(!page.contains("Take all"))
      _ = try await house.answer(0, ["action": "taken"])
      let after = try await house.browser.open("/").text
      #expect(!after.contains("id=\"pinned\""))
      #expect(after.contains("data-part=\"taken 2\""))
    }
  }

  @Test func `snooze and skip take one press each in the row's menu`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      harness.clock.advance(minutes: 65)
      let page = try await house.browser.open("/").text
      #expect(page.contains("Later, in 10 min"))
      #expect(page.contains("name=\"minutes\" value=\"10\""))
      #expect(page.contains("Other time or reason…"))
      let later = try await house.answer(0, ["action": "later", "minutes": "10"])
      #expect(later.status == .seeOther)
      let skipped = try await house.answer(1, ["action": "skipped"])
      #expect(skipped.status == .seeOther)
      #expect(try await house.states() == ["later", "skipped"])
      let after = try await house.browser.open("/").text
      #expect(after.contains("<time datetime=\"2026-03-01T08:15:00+00:00\">08:15</time>"))
    }
  }

  @Test func `the prescription's advice is shown with the amount`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      try await house.add(
        "Metformin",
        dosage: [
          "timing": ["repeat": ["timeOfDay": ["08:00:00"]]],
          "additionalInstruction": [["text": "with food"]],
        ])
      harness.clock.advance(minutes: 65)
      let page = try await house.browser.open("/").text
      #expect(page.contains("<p class=\"intake-facts\">1 tablet · Take with food.</p>"))
    }
  }

  @Test func `tomorrow is one expandable line`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      let page = try await house.browser.open("/").text
      #expect(page.contains("Tomorrow: 1 dose at 08:00"))
      #expect(page.contains("<section id=\"tomorrow\"><details class=\"disclosure\"><summary>"))
    }
  }

  @Test func `the day is done once all is taken, without praise for a skip`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      _ = try await house.answer(0, ["action": "taken"])
      #expect(try await house.browser.open("/").text.contains("All done for now."))
      let evening = try #require(
        try await house.listed().compactMap { $0["id"]?.string }.first { $0 != house.doses[0] })
      harness.clock.advance(minutes: 12 * 60)
      let taken = try await house.browser.post("/doses/\(evening)/answers", ["action": "taken"])
      #expect(taken.status == .seeOther)
      let page = try await house.browser.open("/").text
      #expect(page.contains("All done for today."))
      #expect(page.contains("notice-success"))
      #expect(page.contains("2 of 2 taken"))
    }
  }
}
