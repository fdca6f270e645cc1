// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans

@Suite("The double-dose question")
struct DoubleDoseTests {
  static func minutes(_ minutes: Int64) -> Timestamp {
    AnswerWorld.eight.adding(milliseconds: minutes * AnswerWorld.minute)
  }

  static let dayLater = minutes(1_440)

  /// Asks about a dose of plan "m" at eight with a gap of six hours, and an intake of another plan.
  private func ask(
    _ other: (name: String, codes: [String]), intakeAt minutes: Int64,
    own: (name: String, codes: [String]) = ("Metoprolol", ["atc|C07AB02"]), gap: Int64? = 6
  ) async throws -> AnswerOutcome {
    let world = try await AnswerWorld()
    try await world.addPlan("m", name: own.name, codes: own.codes, gapHours: gap)
    try await world.addPlan("o", name: other.name, codes: other.codes)
    let id = try await world.addDose("m")
    let first = try await world.addDose("o", 1)
    let intake = AnswerRequest(action: .taken, at: Self.minutes(minutes), confirm: true)
    _ = try await world.answer(first, intake, at: Self.dayLater, by: "Bo", actor: .guardian)
    return try await world.answer(
      id, AnswerRequest(action: .taken, at: AnswerWorld.eight), at: Self.dayLater)
  }

  @Test(
    arguments: [
      (-361, false), (-360, false), (-359, true), (0, true), (4, true), (359, true), (360, false),
      (700, false),
    ] as [(Int64, Bool)])
  func itIsAskedWithinTheGapBeforeAndAfter(minutes: Int64, isAsked: Bool) async throws {
    let outcome = try await ask(("metoprolol ", []), intakeAt: minutes)
    if isAsked {
      let intake = try #require(outcome.asked?.first)
      #expect(intake.taken == Self.minutes(minutes))
      #expect(intake.by == "Bo")
      #expect(intake.medicineName == "metoprolol ")
    } else {
      #expect(outcome.accepted?.state == .taken)
    }
  }

  @Test(
    arguments: [
      (("Beloc", ["atc|C07AB02"]), true), (("MÉTOPROLOL", []), true),
      (("Bisoprolol", ["atc|C07AB07"]), false), (("Beloc", ["other|C07AB02"]), false),
      (("Beloc", []), false),
    ] as [((name: String, codes: [String]), Bool)])
  func theSameIngredientIsTheSameCodeOrName(
    other: (name: String, codes: [String]), isAsked: Bool
  ) async throws {
    #expect((try await ask(other, intakeAt: 30).asked != nil) == isAsked)
  }

  @Test func aPlanWithoutAGapAsksNothing() async throws {
    #expect(try await ask(("Metoprolol", []), intakeAt: 1, gap: nil).accepted?.state == .taken)
  }

  @Test func theNextDoseOfTheSamePlanIsAskedAboutOnceRenamed() async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("m", name: "Old name")
    let one = try await world.addDose("m")
    let two = try await world.addDose("m", 1, dueMinutes: 120)
    _ = try await world.answer(one, AnswerRequest(action: .taken), at: Self.minutes(0))
    try await world.database.write { writer in
      try writer.execute(
        "UPDATE plans SET medicine_name = 'New', ingredients = 'name:new' WHERE plan = 'm'", [])
    }
    let before = try await world.snapshot()
    let key = event(1)
    let asked = try await world.answer(
      two, AnswerRequest(action: .taken, event: key), at: Self.minutes(120))
    #expect(asked.asked?.map(\.dose) == [one])
    #expect(try await world.snapshot() == before)
    // A question does not use up its event; once confirmed, the same press is recorded.
    let confirmed = try await world.answer(
      two, AnswerRequest(action: .taken, event: key, confirm: true), at: Self.minutes(120))
    #expect(confirmed.accepted?.state == .taken)
    #expect(try await world.intakes().count == 2)
  }

  @Test func theDosesOwnAnswerIsNoEarlierIntake() async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("m")
    let id = try await world.addDose("m")
    _ = try await world.answer(id, AnswerRequest(action: .taken), at: Self.minutes(0))
    let moved = try await world.answer(
      id, AnswerRequest(action: .taken, at: Self.minutes(-20), corrects: 2), at: Self.minutes(5))
    #expect(moved.accepted?.answer?.at == Self.minutes(-20))
  }

  @Test func aCorrectionIsAskedAboutOnlyWhenTheTimeMoves() async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("m")
    let one = try await world.addDose("m")
    let two = try await world.addDose("m", 1, dueMinutes: 720)
    _ = try await world.answer(one, AnswerRequest(action: .taken), at: Self.minutes(0))
    _ = try await world.answer(two, AnswerRequest(action: .taken), at: Self.minutes(720))
    let moved = AnswerRequest(action: .taken, at: Self.minutes(120), corrects: 2)
    let asked = try await world.answer(two, moved, at: Self.minutes(730))
    #expect(asked.asked?.map(\.dose) == [one])
    var confirmed = moved
    confirmed.confirm = true
    _ = try await world.answer(two, confirmed, at: Self.minutes(730))
    let reason = AnswerRequest(action: .taken, reason: "on the road", corrects: 3)
    #expect(
      try await world.answer(two, reason, at: Self.minutes(740)).accepted?.answer?.at
        == Self.minutes(120))
  }

  @Test(arguments: [AnswerAction.skipped, .refused, .later])
  func whatIsNotTakenNeedsNoQuestion(action: AnswerAction) async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("m")
    let one = try await world.addDose("m")
    let two = try await world.addDose("m", 1, dueMinutes: 60)
    _ = try await world.answer(one, AnswerRequest(action: .taken), at: Self.minutes(0))
    let outcome = try await world.answer(
      two, AnswerRequest(action: action, minutes: 10), at: Self.minutes(60))
    #expect(outcome.accepted != nil)
  }

  @Test func whatWasTakenBackIsNoEarlierIntake() async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("m")
    let one = try await world.addDose("m")
    let two = try await world.addDose("m", 1, dueMinutes: 60)
    _ = try await world.answer(one, AnswerRequest(action: .taken), at: Self.minutes(0))
    _ = try await world.answer(one, AnswerRequest(action: .undo), at: Self.minutes(1))
    #expect(
      try await world.answer(two, AnswerRequest(action: .taken), at: Self.minutes(60))
        .accepted?.state == .taken)
  }
}
