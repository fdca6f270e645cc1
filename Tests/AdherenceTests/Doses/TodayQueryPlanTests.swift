// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Dosing
@testable import Plans

/// Today is read often: it must not look at doses that it does not show.
@Suite struct TodayQueryPlanTests {
  @Test(.enabled(if: TestDatabase.engine != .postgres))
  func `the doses of Today, and those missed before, are found by their time`() async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("p0")
    let plans = QueryPlanRecorder.Plans()
    let now = AnswerWorld.eight
    let isMissed = try await world.database.write { writer in
      let recorder = QueryPlanRecorder(writer: writer, plans: plans)
      let patient = PatientSnapshot(
        of: AnswerWorld.patient, now: now, zones: ZoneCatalog(), in: recorder)
      let features = try patient.features(seenBy: AccountID("ann"))
      _ = try DoseQueries.today(of: patient, limits: TodayLimits())
      _ = try MissedDoses.summary(
        of: AnswerWorld.patient, dueBefore: now, now: now, in: recorder)
      return features?.missedDoses
    }
    #expect(isMissed == false)
    #expect(plans.lines.contains { $0.hasPrefix("SEARCH d ") && $0.contains("doses_by_due") })
    let missed = plans.lines.filter { $0.contains("doses_not_taken") }
    #expect(missed.count == 2, "the features in use, and the number of missed doses")
  }
}
