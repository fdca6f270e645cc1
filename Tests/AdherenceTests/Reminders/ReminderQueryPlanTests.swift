// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Reminders

/// The queries that run twice a second must find their rows by index, however much is stored.
@Suite("Query plans of the hot queries")
struct ReminderQueryPlanTests {
  @Test(.enabled(if: TestDatabase.engine != .postgres))
  func `no query scans a table or sorts without need`() async throws {
    let world = try await ReminderWorld(devices: ["one", "two"])
    let plan = try await world.add("08:00")
    let plans = QueryPlanRecorder.Plans()
    let accounts = world.accounts
    for minute in [0, 5, 10, 20] {
      world.place.clock.set("2026-03-02T08:00:00+01:00")
      world.place.clock.advance(minutes: Int64(minute))
      let context = world.context
      try await world.place.database.write { writer in
        let recorder = QueryPlanRecorder(writer: writer, plans: plans)
        _ = try ReminderEngine.nextMoment(in: recorder)
        _ = try ReminderEngine.plan(limit: 100, context, in: recorder)
        let claimed = try ReminderEngine.claim(limit: 100, channel: nil, context, in: recorder)
        try ReminderEngine.complete(
          claimed.map {
            DeliveryResult(
              delivery: $0.delivery, patient: $0.patient, attempt: $0.attempt,
              outcome: .handedOver, jitter: 0)
          }, context, in: recorder)
        _ = try ReminderQueries.ringing(
          patients: [ReminderWorld.ann], now: context.now, in: recorder)
        _ = try ReminderQueries.deliveries(
          patient: ReminderWorld.ann, from: context.now, until: context.now, accounts: accounts,
          in: recorder)
        _ = try ReminderQueries.changed(
          patient: ReminderWorld.ann, after: context.now, limit: 10, accounts: accounts,
          in: recorder)
        _ = try ReminderQueries.counters(since: context.now, in: recorder)
        try ReminderWake.plan(plan.id, patient: ReminderWorld.ann, at: context.now, in: recorder)
      }
    }
    // A statement with only scalar subqueries scans one row that belongs to no table.
    let walks = Set(
      plans.lines.filter {
        $0.hasPrefix("SCAN") && !$0.contains("USING") && $0 != "SCAN CONSTANT ROW"
      })
    #expect(walks == [])
    let queues = ["doses_to_ring", "reminders_by_next", "deliveries_to_send", "doses_by_reminder"]
    for index in queues { #expect(plans.lines.contains { $0.contains(index) }, "\(index)") }
  }
}
