// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Plans

@Suite struct CycleDaysTests {
  private static func day(_ text: String) -> CivilDate { CivilDate(text: text) ?? .earliest }

  @Test(arguments: [
    ("2026-03-20", nil), ("2026-03-21", "break-begins"), ("2026-03-22", nil),
    ("2026-03-27", nil), ("2026-03-28", "break-ends"), ("2026-03-29", nil),
    ("2026-04-18", "break-begins"), ("2026-04-25", "break-ends"), ("2026-02-28", nil),
    ("2026-02-21", nil),
  ])
  func `the start and end of a break are announced the day before`(date: String, kind: String?) {
    let cycle = CycleDays(
      first: Self.day("2026-03-01"), daysOn: 21, daysOff: 7, last: nil)
    #expect(cycle.turn(after: Self.day(date))?.rawValue == kind)
    let ended = CycleDays(
      first: Self.day("2026-03-01"), daysOn: 21, daysOff: 7, last: Self.day("2026-03-21"))
    #expect(ended.turn(after: Self.day(date)) == nil)
  }

  @Test(arguments: 0..<40)
  func `changes are announced exactly where the doses change`(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed) &+ 77)
    let (on, off) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...20, using: &random))
    let first = Self.day("2026-03-01")
    let cycle = CycleDays(first: first, daysOn: on, daysOff: off, last: nil)
    let pattern = DayPattern.daysOfCycle(Set(1...on), length: on + off)
    for offset in 0..<200 {
      let date = first.adding(days: offset)
      let today = pattern.contains(date, anchorDate: first)
      let tomorrow = pattern.contains(date.adding(days: 1), anchorDate: first)
      let expected: CycleTurn.Kind? =
        today == tomorrow ? nil : tomorrow ? .breakEnds : .breakBegins
      #expect(cycle.turn(after: date) == expected)
    }
  }

  @Test func `the notice belongs to the plan, follows edits and ends with it`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    func schedule(_ on: Int) -> DraftSchedule {
      .cycle(
        DraftCycle(
          daysOn: on, daysOff: 7, times: [DraftTime(time: ClockTime(text: "20:00") ?? .midnight)]))
    }
    let plan = try await place.add(PlanDraft.tablet(["08:00"], name: "Pill").with(schedule(21)))
    func turns(_ date: String) async throws -> [CycleTurn.Kind] {
      try await place.database.read { reader in
        try CycleRows.turns(patient: TestPlace.patient, after: Self.day(date), in: reader)
      }.map(\.kind)
    }
    #expect(try await turns("2026-03-28") == [.breakEnds])
    try await place.edit(plan.id, PlanDraft.tablet(["08:00"], name: "Pill").with(schedule(24)))
    #expect(try await turns("2026-03-28") == [])
    #expect(try await turns("2026-03-31") == [.breakEnds])
    try await place.stop(plan.id)
    #expect(try await turns("2026-03-31") == [])
  }
}
