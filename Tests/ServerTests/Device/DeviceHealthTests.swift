// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Reminders
@testable import Web

/// The proofs of devices, and the notices about those that fall silent.
@Suite struct DeviceHealthTests {
  @Test func `a silent device is reported with its age, and others take over`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan(timing: Person.timing("08:00:00"))
      let device = try await ann.subscribe()
      let browser = try await harness.session(of: ann.account)
      _ = try await browser.post("/device/\(device)/confirm", [:])
      #expect(!(try await browser.open("/").text.contains("Reminders might not reach you")))
      // Three days on which it shows nothing.
      for _ in 0..<(3 * 24 * 12) {
        harness.clock.advance(minutes: 5)
        await harness.ring()
      }
      let today = try await browser.open("/").text
      #expect(today.contains("hasn’t shown a reminder since"), "\(today)")
      let page = try await browser.open("/device").text
      #expect(page.contains("It hasn’t shown a reminder since") && page.contains("Last 7 days"))
      // At the due time, a mail is sent in addition to the push.
      let deliveries = try await ann.deliveries("from=2026-03-03T00:00:00Z&to=2026-03-04T00:00:00Z")
      #expect(deliveries.contains { $0["channel"] == "mail" && $0["rung"] == 0 })
      _ = try await browser.post("/device/\(device)/confirm", [:])
      #expect(!(try await browser.open("/").text.contains("hasn’t shown a reminder since")))
    }
  }

  @Test func `notifications shown and answered are counted`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.event("2026-03-01T07:05:00Z")
      _ = try await ann.subscribe()
      harness.clock.advance(minutes: 5)
      await harness.ring()
      let push = try #require(harness.outbox.pushes.first)
      let delivery = try #require(push.payload["delivery"]?.string)
      #expect(
        try await ann.post("/api/v1/deliveries/\(delivery)/shown", [:]).status == .noContent)
      let dose = try await ann.dose(of: plan)
      #expect(try await ann.answer(dose, ["action": "taken"]).status == .ok)
      await harness.ring()
      let browser = try await harness.session(of: ann.account)
      let page = try await browser.open("/device").text
      #expect(page.contains("1 sent, 1 shown, 1 answered"))
      #expect(page.contains("Last answer after a reminder here"))
    }
  }

  @Test func `a confirmed channel counts like a device`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      func isWarned() async throws -> Bool {
        try await browser.open("/").text.contains("Reminders might not reach you")
      }
      _ = try await ann.plan(timing: Person.timing("23:00:00"))
      #expect(try await isWarned())
      _ = try await browser.post("/device/add/sms", ["number": "+4740000012"])
      #expect(try await isWarned())
      let now = harness.clock.now
      try await harness.environment.database.write { writer in
        try writer.execute("UPDATE channel_addresses SET confirmed = $1", [SQLValue(now)])
      }
      #expect(try await !isWarned())
      harness.clock.advance(minutes: 8 * 24 * 60)
      #expect(try await isWarned())
    }
  }

  @Test func `each channel is shown with its own week`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      let browser = try await harness.session(of: eve)
      #expect(!(try await browser.open("/status").text.contains("Channel status")))
      _ = try await ann.subscribe()
      for hour in 0..<6 {
        _ = try await ann.event("2026-03-01T1\(hour):00:00Z", name: "M\(hour)")
      }
      harness.outbox.answer(
        .accepted, .misconfigured(status: 403), .misconfigured(status: 403),
        .misconfigured(status: 403), .misconfigured(status: 403), .misconfigured(status: 403))
      for _ in 0..<(9 * 60) {
        harness.clock.advance(minutes: 1)
        await harness.ring()
      }
      let page = try await browser.open("/status").text
      #expect(page.contains("Channel status") && page.contains("in the last week"), "\(page)")
      let weeks = try await harness.environment.database.read { [now = harness.clock.now] reader in
        try ChannelWeek.all(now: now, in: reader)
      }
      let push = try #require(weeks.first { $0.channel == .push })
      #expect(push.dayTried == push.weekTried && push.dayTried - push.dayHandedOver == 5)
      #expect(!push.isWorse)
    }
  }
}
