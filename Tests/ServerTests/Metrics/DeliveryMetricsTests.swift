// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import Identifiers
import Presentation
import Storage
import Telemetry
import Testing
import TestSupport

@testable import Operations
@testable import Reminders
@testable import Web

/// The counters of reminders on their way.
@Suite struct DeliveryMetricsTests {
  @Test func `a reminder is counted from its planning to its handover`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:05:00Z", name: "Testolol")
      _ = try await ann.subscribe()
      _ = await harness.ring()
      #expect(try await harness.metrics()["regimen_reminders_rung_total"] == 0)
      harness.clock.advance(milliseconds: 5 * 60_000 + 4_000)
      #expect(await harness.ring().count == 1)
      let metrics = try await harness.metrics()
      #expect(metrics["regimen_reminders_rung_total"] == 1)
      #expect(metrics["regimen_reminders_missed_total"] == 0)
      #expect(metrics["regimen_reminders_lag_seconds_sum"] == 4)
      #expect(metrics[#"regimen_deliveries_planned_total{channel="push"}"#] == 1)
      #expect(metrics[#"regimen_delivery_claims_total{channel="push"}"#] == 1)
      let handedOver =
        #"regimen_delivery_attempts_total{channel="push",outcome="handed-over"}"#
      #expect(metrics[handedOver] == 1)
      #expect(metrics[#"regimen_delivery_delay_seconds_count{channel="push"}"#] == 1)
      #expect(metrics[#"regimen_delivery_delay_seconds_count{channel="mail"}"#] == 0)
      #expect(metrics[#"regimen_deliveries_in_progress{channel="push"}"#] == 0)
      let text = try await harness.metricsText()
      #expect(!text.contains("Testolol") && !text.contains(ann.account.patient.text))
      #expect(harness.environment.metricRegistry.refused == 0)
    }
  }

  @Test func `an expired subscription is counted`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:05:00Z")
      _ = try await ann.subscribe()
      harness.outbox.answer(.gone)
      harness.clock.advance(minutes: 5)
      await harness.ring()
      let metrics = try await harness.metrics()
      #expect(metrics[#"regimen_delivery_attempts_total{channel="push",outcome="gone"}"#] == 1)
      #expect(metrics[#"regimen_delivery_delay_seconds_count{channel="push"}"#] == 0)
    }
  }

  @Test func `waiting reminders are told by channel with their age`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:05:00Z")
      _ = try await ann.subscribe()
      harness.clock.advance(minutes: 5)
      let environment = harness.environment
      let context = environment.reminderContext(at: harness.clock.now)
      _ = try await environment.database.write { writer in
        try ReminderEngine.plan(limit: 10, context, in: writer)
      }
      harness.clock.advance(milliseconds: 1_500)
      let metrics = try await harness.metrics()
      #expect(metrics[#"regimen_deliveries_waiting{channel="push"}"#] == 1)
      #expect(metrics[#"regimen_deliveries_oldest_wait_seconds{channel="push"}"#] == 1.5)
      #expect(metrics[#"regimen_deliveries_waiting{channel="mail"}"#] == 0)
      #expect(metrics[#"regimen_deliveries_oldest_wait_seconds{channel="mail"}"#] == 0)
    }
  }
}
