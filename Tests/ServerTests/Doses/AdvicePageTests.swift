// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import DosePages
@testable import Web

/// The advice after a dose was skipped because someone felt unwell.
@Suite struct AdvicePageTests {
  @Test(arguments: ["unwell", "side-effects"], ["skipped", "refused"])
  func `feeling unwell leads to advice and to the numbers to call`(
    reason: String, action: String
  ) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      let answer = try await house.answer(
        0, ["action": action, "reason": reason, "return": "/"])
      #expect(answer.status == .seeOther)
      let address = try #require(answer.headers[.location])
      #expect(address.hasPrefix("/doses/\(house.doses[0])/advice?return="))
      let page = try await house.browser.open(address)
      #expect(page.status == .ok)
      #expect(page.text.contains("Ask before the next dose") && page.text.contains("Metoprolol"))
      #expect(page.text.contains("care-card-emergency"))
      // Without a number, the page says so and links to the form for one.
      #expect(page.text.contains("You haven’t added a number for your doctor or pharmacy yet."))
      #expect(page.text.contains("href=\"/me/contacts\"") && page.text.contains("href=\"/chat\""))
      #expect(page.text.contains("value=\"undo\""))
      #expect(!page.text.contains("chip-taken") && !page.text.contains("notice-success"))
      let today = try await house.browser.open("/").text
      #expect(today.contains("/doses/\(house.doses[0])/advice") && today.contains("Get advice"))
      #expect(try await house.open(0).text.contains("Get advice"))
    }
  }

  @Test(arguments: ["forgot", "ran-out", "other"])
  func `other reasons return to the previous page`(reason: String) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      let answer = try await house.answer(
        0, ["action": "skipped", "reason": reason, "reason-words": "later", "return": "/"])
      #expect(answer.headers[.location]?.hasPrefix("/?done=skipped") == true)
      #expect(!(try await house.browser.open("/").text.contains("Get advice")))
    }
  }

  @Test func `an unknown dose and a return to another site are refused`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      #expect(try await house.browser.open("/doses/none/advice").status == .notFound)
      let page = try await house.browser.open(
        "/doses/\(house.doses[0])/advice?return=https://example.org/")
      #expect(page.status == .ok && !page.text.contains("example.org/\""))
    }
  }
}
