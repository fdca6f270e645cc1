// SPDX-License-Identifier: Apache-2.0

import Access
import Foundation
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Dosing
@testable import People
@testable import Plans

/// Limits through the commands: whatever is recorded, taken back and recorded again, in any order and zone,
/// the question comes exactly when the current intakes would exceed a limit.
@Suite struct LimitPropertyTests {
  private static let start = "2026-03-20T00:00:00+01:00"

  private func record(
    _ place: TestPlace, _ plan: PlanID, at: Timestamp, confirm: Bool = false
  ) async throws -> (id: AdministrationID?, question: IntakeQuestion?, near: [Intake]) {
    let context = place.context
    let request = AdministrationRequest(
      patient: TestPlace.patient, medicine: plan.text, at: at,
      amount: Amount(value: "1", unit: "tablet"), confirm: confirm)
    do {
      let recorded = try await place.database.write { writer in
        try IntakeCommands.record(request, context: context, in: writer)
      }
      return (recorded.id, nil, [])
    } catch AnswerError.confirm(let question) {
      return question.breaches.isEmpty ? (nil, nil, question.intakes) : (nil, question, [])
    }
  }

  @Test(arguments: UInt64(0)..<12)
  func `any order of intakes, undo, plan edits and travel`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let place = try await TestPlace(at: Self.start)
    var draft = PlanDraft.needed(gap: 3, count: 4, amount: "5", days: 5)
    let plan = try await place.add(draft)
    var taken: [AdministrationID: Timestamp] = [:]
    let begin = place.now
    for step in 0..<40 {
      if step > 0 { place.clock.advance(hours: 7) }
      switch Int.random(in: 0..<10, using: &random) {
      case 0 where !taken.isEmpty:
        let id = try #require(taken.keys.sorted().randomElement(using: &random))
        let context = place.context
        try await place.database.write { writer in
          try IntakeCommands.takeBack(
            id, patient: TestPlace.patient, context: context, in: writer)
        }
        taken[id] = nil
      case 1:
        draft.limits.count = Int.random(in: 2...5, using: &random)
        draft.limits.amount = Bool.random(using: &random) ? "3" : nil
        try await place.edit(plan.id, draft)
      case 2:
        try await place.move(
          to: ["Asia/Bangkok", "America/New_York", "Europe/Berlin"].randomElement(using: &random)!)
      default:
        let at = place.now.adding(
          milliseconds: -Int64.random(in: 0...40, using: &random) * 3_600_000)
        try await tryOne(place, plan.id, draft.limits, at: at, &taken)
      }
    }
    let kept = try await place.database.read { reader in
      try IntakeQueries.recent(
        patient: TestPlace.patient, from: begin.adding(milliseconds: -100 * 3_600_000),
        until: Timestamp(milliseconds: .max), in: reader)
    }
    #expect(Set(kept.map(\.administration)) == Set(taken.keys))
  }

  /// Records one at a time as a person would: asked exactly when the model asks, and always recordable.
  private func tryOne(
    _ place: TestPlace, _ plan: PlanID, _ stated: DraftLimits, at: Timestamp,
    _ taken: inout [AdministrationID: Timestamp]
  ) async throws {
    let zone = try await place.database.read { reader in
      try PeopleQueries.zone(TestPlace.patient, zones: place.zones, in: reader)
    }
    func date(_ time: Timestamp) -> CivilDate {
      zone.date(at: Instant(milliseconds: time.milliseconds))
    }
    let day: Int64 = 24 * 3_600_000
    let most = [stated.count, stated.amount.flatMap { Int($0) }].compactMap(\.self).min() ?? .max
    // Every window of a day that contains it, hour by hour.
    let isFull = (0..<24).contains { back in
      let from = at.adding(milliseconds: -Int64(back) * 3_600_000)
      let inside = taken.values.count { $0 >= from && $0 < from.adding(milliseconds: day) }
      return inside + 1 > most
    }
    let month = Set(
      taken.values.map(date).filter {
        $0.year == date(at).year && $0.month == date(at).month
      })
    let isDayTooMany =
      !month.contains(date(at)) && month.count >= (stated.days ?? .max)
    let isClose = taken.values.contains {
      abs($0.milliseconds - at.milliseconds) < Int64(stated.gapHours ?? 0) * 3_600_000
    }
    let first = try await record(place, plan, at: at)
    #expect((first.question != nil) == (isFull || isDayTooMany))
    #expect(!first.near.isEmpty == (isClose && !isFull && !isDayTooMany))
    var id = first.id
    if id == nil { id = try await record(place, plan, at: at, confirm: true).id }
    taken[try #require(id)] = at
  }

  @Test func `a scheduled dose beyond the maximum asks too, and an edit of the amount`()
    async throws
  {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    var draft = PlanDraft.tablet(["08:00", "20:00"])
    draft.limits.amount = "3"
    let plan = try await place.add(draft)
    place.clock.set("2026-03-01T08:05:00+01:00")
    let morning = try #require(
      try await place.listing(
        from: "2026-03-01T07:00:00+01:00", until: "2026-03-01T09:00:00+01:00"
      ).doses.first)
    let context = place.context
    func answer(_ amount: String, corrects: Int64? = nil) async throws -> Dose {
      try await place.database.write { writer in
        try AnswerCommands.answer(
          morning.id, patient: TestPlace.patient,
          AnswerRequest(
            action: .taken, amount: Amount(value: amount, unit: "tablet"), corrects: corrects),
          context: context, in: writer)
      }
    }
    let dose = try await answer("2")
    do {
      _ = try await answer("4", corrects: dose.version)
      Issue.record("nobody asked")
    } catch AnswerError.confirm(let question) {
      #expect(question.breaches.map(\.reached) == [4])
      #expect(question.intakes.isEmpty)
    }
    #expect(try await answer("3", corrects: dose.version).answer?.amount?.value == "3")
    _ = plan
  }
}

extension PlanDraft {
  /// Returns an as-needed tablet.
  static func needed(
    gap: Int? = nil, count: Int? = nil, amount: String? = nil, days: Int? = nil,
    reason: String? = nil
  ) -> PlanDraft {
    var draft = PlanDraft.tablet(["08:00"]).with(.asNeeded(reason: reason))
    draft.limits = DraftLimits(gapHours: gap, count: count, amount: amount, days: days)
    return draft
  }
}
