// SPDX-License-Identifier: Apache-2.0
import Access
import Dosing
import FHIR
import Identifiers
import Plans
import Scheduling
import Statistics
import Storage
import Testing
import TestSupport
import TimeZones

@Suite struct PlanPausingTests {
  private func pause(_ place: TestPlace, _ plan: PlanID, reason: String = "") async throws -> Plan {
    let context = place.context
    return try await place.database.write { writer in
      try PlanCommands.pause(plan, reason: reason, context: context, in: writer)
    }
  }

  private func resume(_ place: TestPlace, _ plan: PlanID) async throws -> Plan {
    let context = place.context
    return try await place.database.write { writer in
      try PlanCommands.resume(plan, context: context, in: writer)
    }
  }

  private func lines(_ place: TestPlace, _ day: String) async throws -> [String] {
    try await place.listing(from: "\(day)T00:00:00+01:00", until: "\(day)T23:59:59+01:00").lines
  }

  @Test func `a pause cancels future doses and leaves none on its days`() async throws {
    let place = try await TestPlace(at: "2026-03-01T09:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"]))
    place.clock.set("2026-03-02T12:00:00+01:00")
    let paused = try await pause(place, plan.id, reason: " Before the operation ")
    #expect(paused.status == "on-hold" && paused.isPausedHere)
    #expect(paused.request.statusReasonText == "Before the operation")
    #expect(
      try await lines(place, "2026-03-02") == [
        "2026-03-02T08:00:00+01:00 due", "2026-03-02T20:00:00+01:00 cancelled",
      ])
    let listing = try await place.listing(
      from: "2026-03-02T19:00:00+01:00", until: "2026-03-02T21:00:00+01:00")
    #expect(listing.doses.map(\.stateReason) == ["paused"])
    #expect(listing.unplanned.map(\.reason) == [.status("on-hold")])

    place.clock.set("2026-03-08T10:00:00+01:00")
    #expect(try await place.extendHorizon() == 0)
    #expect(try await lines(place, "2026-03-06") == [])
    let resumed = try await resume(place, plan.id)
    #expect(resumed.status == "active" && resumed.unplanned == nil && resumed.era == 1)
    #expect(resumed.request.statusReasonText == nil)
    #expect(try await lines(place, "2026-03-06") == [])
    #expect(try await lines(place, "2026-03-08") == ["2026-03-08T20:00:00+01:00 scheduled"])
  }

  @Test func `a pause that ends at once restores the same doses`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"]))
    let before = try await lines(place, "2026-03-01")
    _ = try await pause(place, plan.id)
    #expect(try await lines(place, "2026-03-01").allSatisfy { $0.hasSuffix(" cancelled") })
    _ = try await resume(place, plan.id)
    #expect(try await lines(place, "2026-03-01") == before)
  }

  @Test func `repeating a pause has no effect, and each change makes a version`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00"]))
    let first = try await pause(place, plan.id, reason: "A")
    #expect(try await pause(place, plan.id, reason: "B").version == first.version)
    let second = try await resume(place, plan.id)
    #expect(second.version == first.version + 1)
    #expect(try await resume(place, plan.id).version == second.version)
  }

  @Test func `ended or foreign plans, others' holds and long reasons are refused`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00"]))
    await #expect {
      _ = try await pause(place, plan.id, reason: String(repeating: "x", count: 501))
    } throws: { if case PlanError.reasonMissing = $0 { true } else { false } }
    await #expect { _ = try await pause(place, "unknown") } throws: {
      if case PlanError.notFound = $0 { true } else { false }
    }
    let stranger = place.context(patients: ["someone-else"])
    for isPause in [true, false] {
      await #expect {
        try await place.database.write { writer in
          _ =
            isPause
            ? try PlanCommands.pause(plan.id, reason: "", context: stranger, in: writer)
            : try PlanCommands.resume(plan.id, context: stranger, in: writer)
        }
      } throws: { if case PlanError.notFound = $0 { true } else { false } }
    }
    let times: JSONValue = ["repeat": ["timeOfDay": ["08:00:00"]]]
    try await place.receive(medicationRequest(timing: times, status: "on-hold"), id: "held")
    await #expect { _ = try await resume(place, "held") } throws: {
      if case PlanError.notAuthorized = $0 { true } else { false }
    }
    try await place.stop(plan.id)
    for command in [true, false] {
      await #expect {
        _ = command ? try await pause(place, plan.id) : try await resume(place, plan.id)
      } throws: { if case PlanError.alreadyStopped = $0 { true } else { false } }
    }
  }

  @Test func `statistics include days that ended in a pause, and today`() async throws {
    let place = try await TestPlace(at: "2026-03-01T09:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"]))
    place.clock.set("2026-03-02T12:00:00+01:00")
    _ = try await pause(place, plan.id)
    func days() async throws -> [String] {
      let (now, zone) = (place.now, try place.zones.zone("Europe/Berlin"))
      let today = zone.date(at: Instant(milliseconds: now.milliseconds))
      let statistics = try await place.database.read { reader in
        try StatisticsQueries.statistics(
          plan: plan.id, patient: TestPlace.patient,
          window: StatisticsWindow(.day, endingAt: today, today: today), zone: zone, now: now,
          in: reader)
      }
      let counted = statistics.paused.reduce(0) { sum, days in
        sum + days.upperBound.daysSinceEpoch - days.lowerBound.daysSinceEpoch + 1
      }
      #expect(statistics.pausedDays == counted)
      return statistics.paused.map { "\($0.lowerBound.text) \($0.upperBound.text)" }
    }
    #expect(try await days() == ["2026-03-02 2026-03-02"])
    place.clock.set("2026-03-05T08:00:00+01:00")
    #expect(try await days() == ["2026-03-02 2026-03-05"])
    _ = try await resume(place, plan.id)
    #expect(try await days() == ["2026-03-02 2026-03-04"])
    // Within one day: the day ended like any other.
    _ = try await pause(place, plan.id)
    place.clock.set("2026-03-05T18:00:00+01:00")
    _ = try await resume(place, plan.id)
    place.clock.set("2026-03-09T18:00:00+01:00")
    #expect(try await days() == ["2026-03-02 2026-03-04"])
  }
}
