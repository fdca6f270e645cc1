// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Reminders
@testable import Web

@Suite struct ReminderPageTests {
  /// Plans what is due and sends it to a push service that accepts everything; returns the subjects
  /// that ring for Ann.
  private func ring(_ house: DoseHouse) async throws -> [ReminderID] {
    let harness = house.harness
    let context = DevicePageTests.context(harness)
    let patient = house.account.patient
    return try await harness.environment.database.write { writer in
      while try ReminderEngine.plan(limit: 100, context, in: writer).count > 0 {}
      let claimed = try ReminderEngine.claim(limit: 100, channel: nil, context, in: writer)
      try ReminderEngine.complete(
        claimed.map {
          DeliveryResult(
            delivery: $0.delivery, patient: $0.patient, attempt: $0.attempt, outcome: .handedOver,
            jitter: 0)
        }, context, in: writer)
      return try ReminderQueries.ringing(
        patients: [patient], now: context.now, in: writer
      ).map(\.subject)
    }
  }

  @Test func `a notification opens its group, and later who answered`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      _ = try await DevicePageTests.add("Phone", for: house.account, harness)
      harness.clock.advance(minutes: 60)
      let subject = try #require(try await ring(house).first)
      let page = try await house.browser.open("/ring/\(subject)")
      #expect(page.status == .ok)
      #expect(page.text.contains("data-state=\"ringing\""))
      #expect(page.text.contains("Time for your 08:00 medicines</h1>"))
      #expect(page.text.contains("name=\"return\" value=\"/ring/\(subject)\""))
      let before = try await house.browser.open("/ring/\(subject)/state").json()
      #expect(before["ringing"] == true)

      harness.clock.advance(minutes: 4)
      _ = try await house.answer(0, ["action": "taken"])
      let partly = try await house.browser.open("/ring/\(subject)")
      #expect(partly.text.contains("data-state=\"ringing\""))
      #expect(partly.text.contains("Taken 08:04 by Ann"))
      _ = try await house.answer(1, ["action": "taken"])
      let after = try await house.browser.open("/ring/\(subject)")
      #expect(after.text.contains("data-state=\"over\""))
      #expect(!after.text.contains("alertdialog"))
      #expect(after.text.matches(of: /Taken 08:04 by Ann/).count == 2)
      let state = try await house.browser.open("/ring/\(subject)/state").json()
      #expect(state["ringing"] == false)
      #expect(state["body"]?.string == "Taken 08:04 by Ann")

      let other = try await harness.session(of: harness.makeAccount("Bob"))
      for address in ["/ring/\(subject)", "/ring/\(subject)/state", "/ring/nothing"] {
        #expect(try await other.open(address).status == .notFound)
      }
    }
  }

  @Test func `a dose shows how its reminder was delivered`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      _ = try await DevicePageTests.add("Phone", for: house.account, harness)
      #expect(!(try await house.open(0).text.contains("id=\"reminders\"")))
      harness.clock.advance(minutes: 60)
      _ = try await ring(house)
      let sent = try await house.open(0)
      #expect(sent.text.contains("to push.example/…"))
      #expect(sent.text.contains("sent 08:00"))
      #expect(sent.text.contains("not confirmed as shown"))
      harness.clock.advance(minutes: 1)
      let account = house.account.id
      let now = harness.clock.now
      try await harness.environment.database.write { writer in
        let delivery = try writer.first("SELECT delivery FROM deliveries", [])?.text(0)
        try ReminderCommands.shown(
          DeliveryID(delivery ?? ""), account: account, at: now, in: writer)
      }
      let shown = try await house.open(0)
      #expect(shown.text.contains("shown 08:01"))
      #expect(!shown.text.contains("not confirmed as shown"))
    }
  }
}
