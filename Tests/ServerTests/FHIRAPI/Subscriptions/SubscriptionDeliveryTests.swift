// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import CareTeam
@testable import FHIRAPI
@testable import Web

@Suite struct SubscriptionDeliveryTests {
  @Test func `the first notification is a handshake, then each prescription follows once`()
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.subscribe(ann.subscription())
      #expect(try await ann.state(of: id) == "requested")
      await harness.notify()
      #expect(try harness.notifications.map(\.notificationType) == ["handshake"])
      #expect(try await ann.state(of: id) == "active")
      let plan = try await ann.plan()
      await harness.notify()
      await harness.notify()
      let sent = try harness.notifications
      #expect(sent.map(\.notificationType) == ["handshake", "event-notification"])
      let last = try #require(sent.last)
      #expect(last["type"]?.string == "history")
      #expect(last.notifiedEvents == ["1 MedicationRequest/\(plan)"])
      #expect(last["entry"]?[1]?["request"]?["method"]?.string == "POST")
      #expect(last["entry"]?[1]?["resource"] == nil)
      let issues = ResourceValidator.issues(in: last, expecting: .bundle)
      #expect(issues.filter { $0.severity == .error || $0.severity == .fatal }.isEmpty)
    }
  }

  @Test func `a notification is signed and has the program's header fields`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.activate(ann.subscription())
      let read = try await ann.get("/fhir/Subscription/\(id)").json()
      let text = read["channel"]?["extension"]?[0]?["valueString"]?.string
      let secret = try #require(text.flatMap { WebhookSecret($0) })
      let sent = try #require(harness.outbox.webhooks.first)
      let fields = Dictionary(sent.headers) { first, _ in first }
      #expect(sent.address == Person.hook)
      #expect(fields["Authorization"] == "Bearer of-the-program")
      let seconds = try #require(fields["webhook-timestamp"].flatMap { Int64($0) })
      let name = try #require(fields["webhook-id"])
      #expect(
        fields["webhook-signature"]
          == secret.signature(id: name, seconds: seconds, body: sent.body))
    }
  }

  @Test func `a recorded dose and its correction are two events`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let dose = try await ann.newDose()
      _ = try await ann.activate(
        ann.subscription("MedicationAdministration?patient=\(ann.account.patient)"))
      harness.clock.advance(minutes: 65)
      #expect(try await ann.answer(dose, ["action": "taken"]).status == .ok)
      await harness.notify()
      harness.clock.advance(minutes: 1)
      #expect(try await ann.answer(dose, ["action": "undo"]).status == .ok)
      await harness.notify()
      let events = try harness.notifications.flatMap(\.notifiedEvents)
      #expect(events.count == 2)
      #expect(events.first?.hasPrefix("1 MedicationAdministration/") == true)
      #expect(events.last?.hasPrefix("2 MedicationAdministration/") == true)
      let last = try #require(try harness.notifications.last)
      #expect(last["entry"]?[1]?["request"]?["method"]?.string == "PUT")
    }
  }

  @Test func `a missed dose is an event once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      _ = try await ann.activate(ann.subscription("urn:regimen:topic:missed-dose"))
      harness.clock.advance(minutes: 24 * 60)
      await harness.notify()
      await harness.notify()
      #expect(
        try harness.notifications.flatMap(\.notifiedEvents) == ["1 MedicationRequest/\(plan)"])
    }
  }

  @Test func `a heart rate warning is an event about the patient`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.activate(ann.subscription("urn:regimen:topic:heart-rate-warning"))
      harness.clock.advance(minutes: 1)
      let (patient, now) = (ann.account.patient, harness.clock.now)
      try await harness.environment.database.write { writer in
        try writer.execute(
          """
          INSERT INTO heart_rate_warnings (patient, warning, kind, day, created, method,
            is_monitored, heart_rate, usual, boundary, doses_in_doubt)
          VALUES ($1, 'warning-1', 'heart', '2026-03-01', $2, 'boundary', 1, 85000, 60000, 80000, 0)
          """, [.text(patient), SQLValue(now)])
      }
      harness.clock.advance(minutes: 2)
      await harness.notify()
      await harness.notify()
      #expect(try harness.notifications.flatMap(\.notifiedEvents) == ["1 Patient/\(patient)"])
    }
  }

  @Test func `the content decides what a notification shows`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.activate(ann.subscription(content: "full-resource"))
      _ = try await ann.activate(ann.subscription(content: "empty"))
      _ = try await ann.plan("Secretol")
      await harness.notify()
      let events = try harness.notifications.filter { $0.notificationType == "event-notification" }
      #expect(events.count == 2)
      let full = events.filter { $0["entry"]?[1]?["resource"] != nil }
      #expect(full.count == 1)
      let empty = try #require(events.first { $0["entry"]?.array?.count == 1 })
      #expect(empty.notifiedEvents == ["1"])
      #expect(!"\(empty)".contains("Secretol"))
    }
  }

  @Test func `a failed notification is sent again, and nothing is lost`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.activate(ann.subscription())
      harness.outbox.answerWebhooks(.retry(afterSeconds: nil, .timeout))
      let first = try await ann.plan("Firstol")
      await harness.notify()
      let second = try await ann.plan("Secondol")
      await harness.notify()
      // The pause after the failure is not over.
      #expect(harness.outbox.webhooks.count == 2)
      harness.clock.advance(milliseconds: 10_000)
      await harness.notify()
      #expect(harness.outbox.webhooks.count == 3)
      #expect(
        try harness.notifications.last?.notifiedEvents
          == ["1 MedicationRequest/\(first)", "2 MedicationRequest/\(second)"])
      #expect(try await ann.state(of: id) == "active")
    }
  }

  @Test func `after repeated refusals it is in error, and sending it again goes on`()
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.activate(ann.subscription())
      let refusal = ChannelOutcome.misconfigured(status: 400)
      harness.outbox.answerWebhooks(refusal, refusal, refusal)
      let plan = try await ann.plan()
      for _ in 0..<3 {
        await harness.notify()
        harness.clock.advance(minutes: 1)
      }
      var read = try await ann.get("/fhir/Subscription/\(id)").json()
      #expect(read["status"]?.string == "error")
      #expect(read["error"]?.string?.isEmpty == false)
      let before = harness.outbox.webhooks.count
      await harness.notify()
      #expect(harness.outbox.webhooks.count == before)
      read["status"] = "requested"
      #expect(try await ann.put("/fhir/Subscription/\(id)", read).status == .ok)
      await harness.notify()
      await harness.notify()
      let sent = try harness.notifications.suffix(2)
      #expect(sent.map(\.notificationType) == ["handshake", "event-notification"])
      #expect(sent.last?.notifiedEvents == ["1 MedicationRequest/\(plan)"])
      let after = try await ann.get("/fhir/Subscription/\(id)").json()
      #expect(after["status"]?.string == "active" && after["error"] == nil)
    }
  }

  @Test func `a refused handshake is an error`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      harness.outbox.answerWebhooks(.misconfigured(status: 404))
      let id = try await ann.subscribe(ann.subscription())
      await harness.notify()
      #expect(try await ann.state(of: id) == "error")
      // Nobody has cared for a week.
      harness.clock.advance(minutes: 8 * 24 * 60)
      await harness.notify()
      #expect(try await ann.state(of: id) == "off")
    }
  }

  @Test func `a heartbeat is sent when nothing happens, and the end is respected`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.activate(
        ann.subscription(heartbeat: 60, end: "2026-03-01T07:01:30Z"))
      harness.clock.advance(milliseconds: 60_000)
      await harness.notify()
      #expect(try harness.notifications.map(\.notificationType) == ["handshake", "heartbeat"])
      harness.clock.advance(milliseconds: 30_000)
      _ = try await ann.plan()
      await harness.notify()
      #expect(try await ann.state(of: id) == "off")
      #expect(harness.outbox.webhooks.count == 2)
    }
  }

  @Test func `events that were planned before the program ended are sent after it starts`()
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.activate(ann.subscription())
      let plan = try await ann.plan()
      // A process that leased the subscription dies before it sends anything.
      let store = EventSubscriptionStore(accounts: harness.environment.accounts)
      let now = harness.clock.now
      let claimed = try await harness.environment.database.write { writer in
        _ = try SubscriptionPlanner.planChanges(
          accounts: harness.environment.accounts, base: "https://here/fhir", at: now, in: writer)
        return try store.claim(limit: 10, at: now, in: writer)
      }
      #expect(claimed.map(\.id.text) == [id])
      await harness.notify()
      #expect(harness.outbox.webhooks.count == 1)
      try await harness.environment.database.write { try store.reclaim(in: $0) }
      await harness.notify()
      #expect(
        try harness.notifications.last?.notifiedEvents == ["1 MedicationRequest/\(plan)"])
      // The result of the dead process comes too late.
      let late = try #require(claimed.first)
      try await harness.environment.database.write { writer in
        try store.finish(late, in: writer) { $0.enter(.off, at: now) }
      }
      #expect(try await ann.state(of: id) == "active")
    }
  }
}
