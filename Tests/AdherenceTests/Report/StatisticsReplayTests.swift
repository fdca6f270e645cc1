// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans
@testable import Statistics

/// Plans that are added, edited, answered, corrected and stopped over half a year, with rollups in between:
/// the stored statistics are byte for byte those of a new rollup.
struct StatisticsReplayTests {
  private static let hour: Int64 = 3_600_000

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `stored statistics match recalculated ones`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let place = try await TestPlace(at: "2026-02-20T05:00:00Z", zone: "Europe/Berlin")
    var plans = [
      try await place.add(Self.draft(&random)), try await place.add(Self.draft(&random)),
    ]
    for step in 1...60 {
      place.clock.advance(hours: Int64.random(in: 10...150, using: &random))
      try await place.extendHorizon()
      switch Int.random(in: 0...9, using: &random) {
      case 0:
        let index = Int.random(in: plans.indices, using: &random)
        if plans[index].status == "active" {
          plans[index] = try await place.edit(plans[index].id, Self.draft(&random))
        }
      case 1 where step > 40 && plans[1].status == "active":
        plans[1] = try await place.stop(plans[1].id)
      case 2:
        try await place.move(
          to: ["Europe/Berlin", "Asia/Bangkok"].randomElement(using: &random) ?? "UTC")
      default:
        for _ in 0..<12 { try await answer(place, &random) }
      }
      // The rollup service may have been off for weeks.
      if Bool.random(using: &random) { try await fold(place) }
      if step % 15 == 0 {
        try await check(place, "seed \(seed), step \(step)")
      }
    }
    try await fold(place)
    try await check(place, "seed \(seed) at the end")
    #expect(try await kept(place).count > 4, "months were folded")
  }

  private static func draft(_ random: inout SeededGenerator) -> PlanDraft {
    let all = Set(Weekday.allCases)
    let hours = [6, 8, 13, 18, 23].shuffled(using: &random)
    let times = hours.prefix(Int.random(in: 1...3, using: &random)).sorted().compactMap {
      ClockTime(hour: $0, minute: 0).map { DraftTime(slot: nil, time: $0) }
    }
    var draft = PlanDraft.tablet([]).with(
      Bool.random(using: &random)
        ? .times(times, weekdays: all) : .everyHours(12, first: .midnight))
    draft.start = CivilDate(text: "2026-02-20") ?? draft.start
    return draft
  }

  /// Gives any answer to any dose of the last months, which may be a correction or an undo.
  private func answer(_ place: TestPlace, _ random: inout SeededGenerator) async throws {
    let back = Int64.random(in: 0...100, using: &random) * 24 * Self.hour
    let from = place.now.adding(milliseconds: -back - 24 * Self.hour)
    let doses = try await place.listing(
      from: from, until: min(from.adding(milliseconds: 48 * Self.hour), place.now)
    ).doses.filter { $0.state != .cancelled }
    guard let dose = doses.randomElement(using: &random) else { return }
    let actions: [AnswerAction] = [.taken, .taken, .skipped, .refused, .undo]
    let action = actions.randomElement(using: &random) ?? .taken
    let delay = Int64.random(in: 0...400, using: &random) * 60_000
    let at = action == .undo ? nil : min(dose.due.adding(milliseconds: delay), place.now)
    let context = place.context
    try await place.database.write { writer in
      do {
        _ = try AnswerCommands.answer(
          dose.id, patient: TestPlace.patient,
          AnswerRequest(action: action, at: at, corrects: dose.version, confirm: true),
          context: context, in: writer)
      } catch is AnswerError {
        // There is nothing to undo, or it is too early: nothing is written.
      }
    }
  }

  private func fold(_ place: TestPlace) async throws {
    let (now, zones) = (place.now, place.zones)
    for _ in 0..<40 {
      let isDue = try await place.database.write { writer in
        _ = try MonthlyRollup.round(now: now, limit: 2, zones: zones, in: writer)
        return try MonthlyRollup.isDue(now: now, in: writer)
      }
      if !isDue { return }
    }
  }

  private func kept(_ place: TestPlace) async throws -> [String] {
    try await place.database.read { reader in
      try reader.query(
        """
        SELECT f.plan, f.month, f.statistics FROM monthly_statistics f
        JOIN plans p ON p.patient = f.patient AND p.plan = f.plan
        WHERE f.month < p.statistics_through ORDER BY 1, 2
        """
      ).map { row in "\((0..<row.count).map { row[$0] })" }
    }
  }

  private func check(_ place: TestPlace, _ comment: Comment) async throws {
    let (now, zones) = (place.now, place.zones)
    let before = try await kept(place)
    let wrong = try await place.database.write { writer in
      try MonthlyRollup.remake(now: now, zones: zones, in: writer)
    }
    #expect(wrong == 0, comment)
    #expect(try await kept(place) == before, comment)
  }
}
