// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import FHIR
import HTTPTypes
import HummingbirdTesting
import Outbound
import Records
import Storage
import Testing
import TestSupport

@testable import Web

@Suite struct ReminderServiceTests {
  @Test func `a due dose is sent once, shown and answered`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.event("2026-03-01T07:05:00Z")
      _ = try await ann.subscribe()
      #expect(await harness.ring().isEmpty)
      harness.clock.advance(minutes: 5)
      #expect(await harness.ring().count == 1)
      #expect(await harness.ring().isEmpty)
      let push = try #require(harness.outbox.pushes.first)
      let dose = try await ann.dose(of: plan)
      #expect(push.payload["doses"] == [.string(dose)])
      #expect(push.payload["dose"] == .string(dose))
      #expect(push.payload["plans"] == [.string(plan)])
      #expect(push.payload["patient"] == .string(ann.account.patient))
      #expect(push.message.urgency == .high)
      #expect(push.message.ttlSeconds >= 60)
      #expect(push.message.topic?.utf8.count == 32)
      #expect(push.payload["tag"]?.string == push.message.topic)
      #expect(!String(decoding: push.message.payload, as: UTF8.self).contains("Testolol"))
      let id = try #require(push.payload["delivery"]?.string)

      let delivery = try #require(try await ann.deliveries().first)
      #expect(delivery["id"]?.string == id)
      #expect(delivery["outcome"] == "handedOver")
      #expect(delivery["rung"] == 0)
      #expect(delivery["channel"] == "push")
      #expect(delivery["attempts"] == 1)
      #expect(delivery["handedOver"]?.string == "2026-03-01T07:05:00+00:00")

      #expect(try await ann.post("/api/v1/deliveries/\(id)/shown", [:]).status == .noContent)
      #expect(try await ann.post("/api/v1/deliveries/\(id)/shown", [:]).status == .noContent)
      #expect(try await ann.deliveries().first?["shown"] != nil)
      #expect(try await ann.answer(dose, ["action": "taken"]).status == .ok)
      await harness.ring()
      #expect(try await ann.deliveries().first?["answered"] != nil)
      harness.clock.advance(minutes: 30)
      #expect(await harness.ring().isEmpty)
      #expect(harness.outbox.pushes.count == 1)
      #expect(harness.outbox.mails.isEmpty)
    }
  }

  @Test func `without an answer the escalation continues to mail`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:00:30Z")
      _ = try await ann.subscribe()
      for _ in 0..<26 {
        harness.clock.advance(minutes: 1)
        await harness.ring()
      }
      #expect(harness.outbox.pushes.count == 3)
      #expect(Set(harness.outbox.pushes.map(\.message.topic)).count == 1)
      #expect(harness.outbox.mails.count == 1)
      let mail = try #require(harness.outbox.mails.first)
      #expect(mail.to == MailAddress("ann@example.org"))
      #expect(!mail.text.contains("Testolol"))
    }
  }

  @Test func `a failing service is retried, a lost device never`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:00:30Z")
      let id = try await ann.subscribe()
      harness.outbox.answer(
        .retry(afterSeconds: nil, .service(status: 503)), .retry(afterSeconds: 7, .rateLimited),
        .gone)
      harness.clock.advance(milliseconds: 30_000)
      await harness.ring()
      #expect(try await ann.deliveries().first?["outcome"] == "retrying")
      harness.clock.advance(milliseconds: 2_000)
      await harness.ring()
      #expect(harness.outbox.pushes.count == 2)
      harness.clock.advance(milliseconds: 5_000)
      await harness.ring()
      #expect(harness.outbox.pushes.count == 2)
      harness.clock.advance(milliseconds: 5_000)
      await harness.ring()
      #expect(harness.outbox.pushes.count == 3)
      let ids = Set(harness.outbox.pushes.compactMap { $0.payload["delivery"]?.string })
      #expect(ids.count == 1)
      #expect(try await ann.deliveries().contains { $0["outcome"] == "gone" })
      #expect(try await ann.subscriptions().allSatisfy { $0["id"]?.string != id })
      // The next channel takes over at once.
      await harness.ring()
      #expect(harness.outbox.mails.count == 1)
    }
  }

  @Test(arguments: [400, 401, 403])
  func `a rejected request keeps the device and alerts the operator`(status: Int) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      _ = try await ann.event("2026-03-01T07:00:30Z")
      _ = try await ann.subscribe()
      harness.outbox.answer(.misconfigured(status: status))
      harness.clock.advance(minutes: 1)
      await harness.ring()
      #expect(try await ann.subscriptions().count == 1)
      let page = try await harness.session(of: eve).open("/status")
      #expect(page.text.contains("status-\(status)"), "\(page.text)")
      #expect(page.text.contains("fcm.googleapis.com"))
    }
  }

  @Test func `a clock set far back holds everything until an administrator acts`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      _ = try await ann.subscribe()
      // The loop runs one round, which is recorded.
      await harness.ring()
      harness.clock.set(back: 3_600_000)
      _ = try await ann.event("2026-03-01T06:00:01Z")
      harness.clock.advance(milliseconds: 1_000)
      #expect(await harness.ring().isEmpty)
      let status = try await harness.session(of: ann.account).open("/status")
      #expect(status.text.contains("notice-error"))
      #expect(!status.text.contains("/status/clock"))
      let refused = try await harness.session(of: ann.account).post("/status/clock", [:])
      #expect(refused.status == .notFound)
      let browser = try await harness.session(of: eve)
      #expect(try await browser.open("/status").text.contains("/status/clock"))
      #expect(try await browser.post("/status/clock", [:]).status == .seeOther)
      #expect(await harness.ring().count == 1)
      #expect(harness.outbox.pushes.count == 1)
    }
  }

  @Test func `the health check reports a stalled loop`() async throws {
    try await ServerHarness.run { harness in
      await harness.ring()
      #expect(try await harness.send(.get, "/health").status == .ok)
      harness.clock.advance(minutes: 1)
      let answer = try await harness.send(.get, "/health")
      #expect(answer.status == .serviceUnavailable)
      #expect(try answer.json()["part"] == "reminders")
      await harness.ring()
      #expect(try await harness.send(.get, "/health").status == .ok)
    }
  }

  @Test func `a closed database only stops the round`() async throws {
    try await ServerHarness.run { harness in
      await harness.environment.database.close()
      #expect(await harness.ring().isEmpty)
    }
  }
}
