// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import CareTeamPages
@testable import Web

/// The card on Today about the people whom an account cares for.
@Suite struct HouseholdOnTodayTests {
  @Test func `a child's dose is on the parent's Today: next, due, then overdue in red`()
    async throws
  {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let (_, dose) = try await house.dose(of: house.child, medicine: "Childolol 120 mg")
      let before = try await house.browser.open("/").text
      #expect(before.contains("People you care for") && before.contains("Mali"))
      #expect(before.contains("Nothing is due now. Next: 08:00."))
      harness.clock.advance(minutes: 65)
      let due = try await house.browser.open("/").text
      let place = try #require(due.firstRange(of: "id=\"household\""))
      let card = due[place.lowerBound...]
      #expect(card.contains("<a href=\"/doses/\(dose)\">Childolol 120 mg</a>"))
      #expect(card.contains("chip-due") && !card.contains("household-late"))
      // One press opens the child's own Today, where it is answered.
      #expect(card.contains("name=\"person\" value=\"\(house.child)\""))
      harness.clock.advance(minutes: 80)
      let late = try await house.browser.open("/").text
      #expect(late.contains("household-late"))
      // The child's own Today has no card about others.
      let child = try await house.chosen(house.child).open("/").text
      #expect(!child.contains("id=\"household\""))
    }
  }

  @Test func `someone who sees only states reads no medicine`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      _ = try await house.dose(of: house.child, medicine: "Childolol")
      let bob = try await harness.makeAccount("Bob")
      var browser = try await house.connect(bob, .family, categories: [.adherence])
      browser.person = nil
      harness.clock.advance(minutes: 65)
      let page = try await browser.open("/").text
      #expect(page.contains("The dose due at 08:00 "))
      #expect(!page.contains("Childolol"))
    }
  }

  @Test func `a relative without access to doses gets no card`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      _ = try await house.dose(of: house.child, medicine: "Childolol")
      let bob = try await harness.makeAccount("Bob")
      var browser = try await house.connect(bob, .family, categories: [.stock])
      browser.person = nil
      harness.clock.advance(minutes: 65)
      #expect(!(try await browser.open("/").text.contains("id=\"household\"")))
    }
  }

  @Test func `an open dose offers a message and, where it is allowed, a nudge`() async throws {
    try await ServerHarness.run { harness in
      let home = try await ToldHousehold.make(harness)
      let bob = try await home.join("Bob")
      harness.clock.advance(minutes: 35)
      let plain = try await bob.browser.open("/").text
      #expect(plain.contains("Unmistakablol") && plain.contains("href=\"/chat/"))
      #expect(!plain.contains("action=\"/nudges\""))
      try await home.choose(
        bob, ["topic-refused": "now", "place": "1", "most": "4", "nudge": "yes"])
      #expect(try await bob.browser.open("/").text.contains("action=\"/nudges\""))
    }
  }
}
