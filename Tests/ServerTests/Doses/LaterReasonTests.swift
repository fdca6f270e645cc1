// SPDX-License-Identifier: Apache-2.0

import Channels
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import Web

/// Repeated "Later": after three times the page asks why.
@Suite struct LaterReasonTests {
  @Test func `the fourth snooze needs a reason, on every page`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let dose = try await ann.dose(of: ann.event("2026-03-01T07:05:00Z"))
      let browser = try await harness.session(of: ann.account)
      harness.clock.advance(minutes: 5)
      await harness.ring()
      for _ in 0..<3 {
        #expect(try await browser.open("/ring").text.contains("value=\"later\""))
        let later = try await browser.post(
          "/doses/\(dose)/answers", ["action": "later", "minutes": "10"])
        #expect(later.status == .seeOther)
        harness.clock.advance(minutes: 10)
        await harness.ring()
      }
      #expect(!(try await browser.open("/ring").text.contains("value=\"later\"")))
      #expect(try await browser.open("/doses/\(dose)").text.contains("What’s stopping you?"))
      let refused = try await browser.post(
        "/doses/\(dose)/answers", ["action": "later", "minutes": "30"])
      #expect(refused.status == .unprocessableContent && refused.text.contains("has-error"))
      let event = harness.environment.newIdentifier()
      _ = try await browser.post(
        "/answers", ["action": "later", "minutes": "10", "answer": "\(dose) \(event)"])
      #expect(try await ann.doses().first { $0["id"]?.string == dose }?["state"] == "due")
      let told = try await browser.post(
        "/doses/\(dose)/answers",
        ["action": "later", "minutes": "30", "later-reason": "No water at hand"])
      #expect(told.status == .seeOther)
      #expect(try await browser.open("/doses/\(dose)").text.contains("No water at hand"))
      // A mail sent now can no longer postpone anything.
      harness.clock.advance(minutes: 30)
      await harness.ring()
      let mail = try #require(harness.outbox.mails.last)
      #expect(mail.text.matches(of: /\/tap\//).count == 2)
    }
  }
}
