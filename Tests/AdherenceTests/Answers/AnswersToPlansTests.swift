// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans

@Suite("Answers to the doses of real plans")
struct AnswersToPlansTests {
  private func answer(
    _ dose: DoseID, _ action: AnswerAction, minutes: Int? = nil, confirm: Bool = false,
    in place: TestPlace
  ) async throws -> AnswerOutcome {
    let context = place.context
    do {
      return try await place.database.write { writer in
        .dose(
          try AnswerCommands.answer(
            dose, patient: TestPlace.patient,
            AnswerRequest(action: action, minutes: minutes, confirm: confirm), context: context,
            in: writer))
      }
    } catch let error as AnswerError {
      return AnswerOutcome(error)
    }
  }

  private func doses(_ day: String, in place: TestPlace) async throws -> [Dose] {
    try await place.listing(from: "\(day)T00:00:00+01:00", until: "\(day)T23:59:59+01:00").doses
  }

  @Test func aDoseBeyondTheHorizonMayBeAnswered() async throws {
    let place = try await TestPlace()
    try await place.add(.tablet(["08:00", "20:00"]))
    let listed = try #require(try await doses("2026-03-20", in: place).first)
    let skipped = try await answer(listed.id, .skipped, in: place)
    #expect(skipped.accepted?.state == .skipped)
    #expect(skipped.accepted?.due == listed.due)
    let after = try await doses("2026-03-20", in: place)
    #expect(after.map(\.state) == [.skipped, .scheduled])
    #expect(after.first == skipped.accepted)
    place.clock.set("2026-03-19T12:00:00+01:00")
    try await place.extendHorizon()
    #expect(try await doses("2026-03-20", in: place).first?.answer?.action == .skipped)
  }

  @Test func aDoseThatNoPlanGivesIsNotFound() async throws {
    let place = try await TestPlace()
    let plan = try await place.add(.tablet(["08:00"], end: "2026-03-05"))
    for text in ["\(plan.id)_1_20260320-1", "\(plan.id)_9_20260302-1", "\(plan.id)_1_n4", "x_1_n4"]
    {
      let dose = try #require(DoseID(text: text))
      #expect(try await answer(dose, .taken, in: place).refusal == .notFound)
    }
  }

  @Test func twoDosesOfAPlanTooCloseAreAskedAbout() async throws {
    let place = try await TestPlace()
    try await place.add(.tablet(["08:00", "20:00"]))
    let (one, two) = try await {
      let doses = try await doses("2026-03-01", in: place)
      return (try #require(doses.first), try #require(doses.last))
    }()
    #expect(
      try await answer(one.id, .taken, confirm: true, in: place).accepted?.state == .taken)
    #expect(try await answer(two.id, .taken, in: place).asked?.map(\.dose) == [one.id])
    place.clock.set("2026-03-01T20:00:00+01:00")
    #expect(try await answer(two.id, .taken, in: place).accepted?.state == .taken)
  }

  @Test func undoAfterTheTimeWasRemovedCallsTheDoseOff() async throws {
    let place = try await TestPlace()
    let plan = try await place.add(.tablet(["08:00", "20:00"]))
    let evening = try #require(try await doses("2026-03-01", in: place).last)
    _ = try await answer(evening.id, .skipped, in: place)
    try await place.edit(plan.id, .tablet(["08:00"], slots: [1]))
    let undone = try await answer(evening.id, .undo, in: place)
    #expect(undone.accepted?.state == .cancelled)
    #expect(try await answer(evening.id, .taken, in: place).refusal == .cancelled)
  }

  @Test func aDosePutOffFallsAwayWithItsPlanOrItsTime() async throws {
    let place = try await TestPlace()
    let stopped = try await place.add(.tablet(["08:00", "20:00"]))
    let edited = try await place.add(.tablet(["08:00", "20:00"]))
    for plan in [stopped, edited] {
      let evening = try #require(
        try await doses("2026-03-01", in: place).last { $0.plan == plan.id })
      let later = try await answer(evening.id, .later, minutes: 30, in: place).accepted
      #expect(later?.state == .later)
    }
    try await place.stop(stopped.id)
    try await place.edit(edited.id, .tablet(["08:00"], slots: [1]))
    for plan in [stopped, edited] {
      let evening = try #require(
        try await doses("2026-03-01", in: place).last { $0.plan == plan.id })
      #expect(evening.state == .cancelled)
      #expect(evening.answer == nil)
      #expect(evening.version == 3)
      #expect(try await answer(evening.id, .taken, in: place).refusal == .cancelled)
    }
  }

  @Test func aDosePutOffKeepsItsTimeWhileThePlanGivesIt() async throws {
    let place = try await TestPlace()
    let plan = try await place.add(.tablet(["08:00", "20:00"]))
    let evening = try #require(try await doses("2026-03-01", in: place).last)
    _ = try await answer(evening.id, .later, minutes: 30, in: place)
    try await place.edit(plan.id, .tablet(["08:00", "20:15"], slots: [1, 2]))
    let kept = try #require(try await doses("2026-03-01", in: place).last)
    #expect(kept.state == .later)
    #expect(kept.due == evening.due)
    #expect(kept.answer?.action == .later)
  }

  @Test func aStoppedPlanKeepsItsAnswersAndTakesNoNewOnes() async throws {
    let place = try await TestPlace()
    let plan = try await place.add(.tablet(["08:00", "20:00"]))
    let listed = try await doses("2026-03-01", in: place)
    let (morning, evening) = (try #require(listed.first), try #require(listed.last))
    _ = try await answer(morning.id, .taken, confirm: true, in: place)
    try await place.stop(plan.id)
    #expect(try await doses("2026-03-01", in: place).map(\.state) == [.taken, .cancelled])
    #expect(try await answer(evening.id, .taken, in: place).refusal == .cancelled)
    #expect(try await answer(morning.id, .taken, in: place).accepted?.state == .taken)
  }
}
