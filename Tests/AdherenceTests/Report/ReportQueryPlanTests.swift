// SPDX-License-Identifier: Apache-2.0

import Access
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Reminders
@testable import Statistics

/// A report may cover ten years: it must not read every dose of them.
@Suite struct ReportQueryPlanTests {
  @Test(.enabled(if: TestDatabase.engine != .postgres))
  func `skipped and extra doses are found by index`() async throws {
    let world = try await ReminderWorld(devices: [])
    _ = try await world.add("08:00")
    let plans = QueryPlanRecorder.Plans()
    let now = world.context.now
    let first = try #require(CivilDate(text: "2016-03-02"))
    let last = try #require(CivilDate(text: "2026-03-02"))
    try await world.place.database.write { writer in
      _ = try ReportContent.load(
        ReminderWorld.ann, from: first, to: last, reach: .init(vitals: .either, allergies: nil),
        now: now, zones: ZoneCatalog(), in: QueryPlanRecorder(writer: writer, plans: plans))
    }
    let walks = plans.lines.filter { $0.hasPrefix("SCAN") && !$0.contains("USING") }
    #expect(walks == [])
    for index in ["doses_left_out", "intakes_beside_doses"] {
      #expect(plans.lines.contains { $0.contains(index) }, "\(index)")
    }
  }
}
