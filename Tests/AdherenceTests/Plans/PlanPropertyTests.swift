// SPDX-License-Identifier: Apache-2.0
import Dosing
import FHIR
import Identifiers
import People
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

/// Random edits, journeys, answers, stops, outages and extensions in any order.
struct PlanPropertyTests {
  private struct Fact: Hashable {
    let due: Timestamp
    let isCancelled: Bool
    let answer: String?
  }

  private static let zones = [
    "Pacific/Auckland", "Pacific/Honolulu", "Europe/Berlin", "America/New_York",
    "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe",
  ]
  private static let hour: Int64 = 3_600_000

  @Test(arguments: 1...24)
  func `random events never lose or duplicate doses`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let place = try await TestPlace(at: "2026-03-27T05:00:00Z", zone: "Pacific/Auckland")
    var draft = Self.draft(&random, slots: [])
    draft.start = try #require(CivilDate(text: "2026-03-27"))
    var plan = try await place.add(draft)
    let begin = place.now
    var facts: [DoseID: Fact] = [:]
    var hasStopped = false
    for step in 1...25 {
      place.clock.advance(
        milliseconds: Int64.random(in: 0...(20 * Self.hour), using: &random))
      let action = Int.random(in: 0...9, using: &random)
      switch action {
      case 0...2:
        if hasStopped { continue }
        var next = Self.draft(&random, slots: plan.slots)
        next.start = draft.start
        plan = try await place.edit(plan.id, next)
      case 3, 4:
        let zone = try #require(Self.zones.randomElement(using: &random))
        try await travel(place, to: zone, plan: plan, seed: seed, step: step)
      case 5:
        let meal = ClockTime(hour: Int.random(in: 16...22, using: &random), minute: 15)
        try await place.change { $0.rhythm.dinner = meal ?? .midnight }
      case 6, 7:
        try await answer(place, &random)
      case 8 where step > 18 && !hasStopped:
        plan = try await place.stop(plan.id)
        hasStopped = true
      default:
        place.clock.advance(hours: Int64.random(in: 0...80, using: &random))
      }
      try await place.extendHorizon()
      plan = try await self.plan(plan.id, place)
      try await check(place, plan, begin: begin, facts: &facts, seed: seed, step: step)
    }
  }

  /// Returns times of day, intervals of days, meals, or weekdays, with named slots for some of the times.
  private static func draft(_ random: inout SeededGenerator, slots: [PlanSlot]) -> PlanDraft {
    let ids = slots.map(\.id)
    func times(_ count: Int) -> [DraftTime] {
      var used: Set<Int> = []
      return (0..<count).compactMap { index in
        let minutes = Int.random(in: 0..<96, using: &random) * 15
        guard used.insert(minutes).inserted, let time = ClockTime(secondsOfDay: minutes * 60)
        else { return nil }
        return DraftTime(slot: index < ids.count ? ids[index] : nil, time: time)
      }
    }
    let all = Set(Weekday.allCases)
    let schedule: DraftSchedule =
      switch Int.random(in: 0...4, using: &random) {
      case 0: .everyDays(2, times: times(2))
      case 1: .meals([DraftMeal(event: .afterDinner), DraftMeal(event: .wake)], weekdays: all)
      case 2: .times(times(2), weekdays: [.monday, .wednesday, .friday, .sunday])
      case 3: .everyHours(8, first: .midnight)
      default: .times(times(3), weekdays: all)
      }
    return PlanDraft.tablet([]).with(schedule)
  }

  private func plan(_ id: PlanID, _ place: TestPlace) async throws -> Plan {
    let found = try await place.database.read { reader in
      try PlanQueries.plan(id, patient: TestPlace.patient, in: reader)
    }
    return try #require(found)
  }

  /// Travels without losing a dose: each moves, keeps its time, or is replaced by another.
  private func travel(
    _ place: TestPlace, to zone: String, plan: Plan, seed: UInt64, step: Int
  ) async throws {
    let comment: Comment = "to \(zone), seed \(seed), step \(step)"
    let until = place.now.adding(milliseconds: 48 * Self.hour)
    let before = try await place.listing(from: place.now.adding(milliseconds: 1), until: until)
    try await place.move(to: zone)
    let after = try await place.listing(
      from: place.now, until: until.adding(milliseconds: 30 * Self.hour)
    ).doses.filter { $0.state != .cancelled }
    let gap = try await self.plan(plan.id, place).minimumGapMilliseconds ?? 0
    for dose in before.doses where dose.state == .scheduled {
      let isHeld = after.contains { other in
        other.id == dose.id || other.id.occurrence == dose.id.occurrence
          || abs(other.due.milliseconds - dose.due.milliseconds) < gap
      }
      #expect(isHeld, comment)
    }
  }

  private func answer(_ place: TestPlace, _ random: inout SeededGenerator) async throws {
    let near = try await place.listing(
      from: place.now.adding(milliseconds: -24 * Self.hour),
      until: place.now.adding(milliseconds: 24 * Self.hour))
    let open = near.doses.filter { [.due, .scheduled, .withheld, .missed].contains($0.state) }
    guard let dose = open.randomElement(using: &random) else { return }
    let context = place.context
    let action = AnswerAction.allCases.filter { $0 == .taken || $0 == .skipped }
      .randomElement(using: &random)
    try await place.database.write { writer in
      _ = try AnswerCommands.answer(
        dose.id, patient: TestPlace.patient,
        AnswerRequest(action: action ?? .taken, confirm: true), context: context, in: writer)
    }
  }

  private func check(
    _ place: TestPlace, _ plan: Plan, begin: Timestamp, facts: inout [DoseID: Fact],
    seed: UInt64, step: Int
  ) async throws {
    let comment: Comment = "seed \(seed), step \(step)"
    let now = place.now
    let end = now.adding(milliseconds: 100 * Self.hour)
    let all = try await place.listing(from: begin, until: end).doses
    #expect(Set(all.map(\.id)).count == all.count, comment)

    // No due row has changed, except for its answer; none has disappeared.
    var present: [DoseID: Fact] = [:]
    for dose in all where dose.due <= now {
      present[dose.id] = Fact(
        due: dose.due, isCancelled: dose.state == .cancelled, answer: dose.answer?.id.text)
    }
    for (id, fact) in facts {
      #expect(present[id]?.due == fact.due, comment)
      #expect(present[id]?.isCancelled == fact.isCancelled, comment)
      if let answer = fact.answer { #expect(present[id]?.answer == answer, comment) }
    }
    facts = present

    // Future doses are those of the rules, except for doses that keep their old time.
    let zones = place.zones
    let expected = try await place.database.read { reader in
      try PlanQueries.preview(
        plan.id, patient: TestPlace.patient, from: now, days: 6, zones: zones, in: reader)
    }
    let live = all.filter { $0.due > now && $0.state != .cancelled }
    let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
    for dose in expected where dose.due.milliseconds > now.milliseconds {
      guard dose.due.milliseconds < end.milliseconds else { continue }
      let id = DoseID(plan: plan.id, era: plan.era, occurrence: dose.occurrence)
      let row = byID[id]
      #expect(row != nil, comment)
      guard let row, row.due > now, row.answer == nil else { continue }
      #expect(row.due.milliseconds == dose.due.milliseconds, comment)
      #expect(row.amount == dose.amount, comment)
      #expect(row.state == .scheduled || row.state == .withheld, comment)
    }
    let planned = Set(
      expected.map { DoseID(plan: plan.id, era: plan.era, occurrence: $0.occurrence) })
    let last = now.adding(milliseconds: 30 * Self.hour)
    for dose in live where dose.answer == nil && !planned.contains(dose.id) {
      // Kept at their old time, within the day by which an edit or a journey may shift.
      #expect(dose.due < last, comment)
      #expect(plan.status == "active", comment)
    }
  }
}
