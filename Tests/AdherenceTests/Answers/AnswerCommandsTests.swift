// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans

@Suite("Answers to doses")
struct AnswerCommandsTests {
  static let now = AnswerWorld.eight.adding(milliseconds: 4 * AnswerWorld.minute)

  static func minutes(_ minutes: Int64) -> Timestamp {
    AnswerWorld.eight.adding(milliseconds: minutes * AnswerWorld.minute)
  }

  private func world(
    state: DoseState.Stored = .open, reason: DoseStateReason? = nil, plan status: String = "active"
  ) async throws -> (AnswerWorld, DoseID) {
    let world = try await AnswerWorld()
    try await world.addPlan("m", status: status)
    return (world, try await world.addDose("m", state: state, reason: reason))
  }

  @Test(arguments: [
    (AnswerAction.taken, DoseState.taken), (.skipped, .skipped), (.refused, .refused),
  ])
  func anOutcomeIsKeptWithItsThreeStamps(action: AnswerAction, state: DoseState) async throws {
    let (world, id) = try await world()
    let request = AnswerRequest(action: action, at: Self.minutes(2), reason: " slept in ")
    let dose = try #require(try await world.answer(id, request, at: Self.now).accepted)
    #expect(dose.state == state)
    #expect(dose.version == 2)
    #expect(dose.due == AnswerWorld.eight)
    let answer = try #require(dose.answer)
    #expect(answer.at == Self.minutes(2))
    #expect(answer.recorded == Self.now)
    #expect(answer.by == "Ann")
    #expect(answer.reason == "slept in")
    #expect(answer.amount == (action == .taken ? Amount(value: "1.50", unit: "tablet") : nil))
    #expect(try await world.dose(id, at: Self.now) == dose)
    #expect(try await world.intakes().count == (action == .taken ? 1 : 0))
  }

  @Test func theSameOutcomeFromAnotherPlaceReturnsTheFirst() async throws {
    let (world, id) = try await world()
    let first = try await world.answer(id, AnswerRequest(action: .taken), at: Self.now).accepted
    for request in [
      AnswerRequest(action: .taken), AnswerRequest(action: .taken, event: event(1)),
      AnswerRequest(action: .taken, at: Self.minutes(1), reason: "again", confirm: true),
    ] {
      let again = try await world.answer(id, request, at: Self.now, by: "Bo", actor: .guardian)
      #expect(again.accepted == first)
    }
    #expect(try await world.intakes().count == 1)
  }

  @Test(arguments: [AnswerAction.skipped, .refused, .later])
  func anotherOutcomeIsAConflictWithTheDose(action: AnswerAction) async throws {
    let (world, id) = try await world()
    let first = try await world.answer(id, AnswerRequest(action: .taken), at: Self.now).accepted
    let before = try await world.snapshot()
    let second = try await world.answer(
      id, AnswerRequest(action: action, event: event(1), minutes: 10), at: Self.now)
    #expect(second.refusal == .answered)
    #expect(second.dose == first)
    #expect(try await world.snapshot() == before)
  }

  @Test func aCorrectionIsANewVersionOfTheSameAdministration() async throws {
    let (world, id) = try await world()
    _ = try await world.answer(id, AnswerRequest(action: .taken), at: Self.now)
    let skipped = try await world.answer(
      id, AnswerRequest(action: .skipped, reason: "dropped it", corrects: 2), at: Self.now)
    #expect(skipped.accepted?.state == .skipped)
    #expect(skipped.accepted?.version == 3)
    #expect(try await world.intakes().isEmpty)
    let taken = try await world.answer(
      id, AnswerRequest(action: .taken, at: Self.minutes(1), corrects: 3), at: Self.now)
    #expect(taken.accepted?.version == 4)
    #expect(taken.accepted?.answer?.reason == nil)
    #expect(try await world.intakes().map(\.taken) == [Self.minutes(1)])
    let administrations = try await world.administrations()
    #expect(administrations.map(\.status) == ["completed"])
    #expect(administrations.map(\.version) == [3])
    let stale = try await world.answer(
      id, AnswerRequest(action: .refused, corrects: 3), at: Self.now)
    #expect(stale.refusal == .stale)
    #expect(stale.dose == taken.accepted)
  }

  @Test func aCorrectionOfTheTimeKeepsAmountAndReason() async throws {
    let (world, id) = try await world()
    let two = try #require(Amount(value: "2", unit: "tablet"))
    _ = try await world.answer(
      id, AnswerRequest(action: .taken, reason: "with food", amount: two), at: Self.now)
    let corrected = try await world.answer(
      id, AnswerRequest(action: .taken, at: Self.minutes(-30), corrects: 2), at: Self.now)
    #expect(corrected.accepted?.answer?.amount == two)
    #expect(corrected.accepted?.answer?.reason == "with food")
    // Only the amount: the time stays as reported.
    let three = try #require(Amount(value: "3", unit: "tablet"))
    let again = try await world.answer(
      id, AnswerRequest(action: .taken, amount: three, corrects: 3), at: Self.minutes(90))
    #expect(again.accepted?.answer?.at == Self.minutes(-30))
    #expect(try await world.intakes().map(\.amount) == [three])
    // The second press finds it already done.
    let twice = try await world.answer(
      id, AnswerRequest(action: .taken, amount: three, corrects: 3), at: Self.minutes(90))
    #expect(twice.accepted == again.accepted)
  }

  @Test func undoReopensAndANewAnswerIsANewAdministration() async throws {
    let (world, id) = try await world()
    _ = try await world.answer(id, AnswerRequest(action: .taken), at: Self.now)
    let undo = AnswerRequest(action: .undo, event: event(1))
    let undone = try await world.answer(id, undo, at: Self.now)
    #expect(undone.accepted?.state == .due)
    #expect(undone.accepted?.answer == nil)
    #expect(undone.accepted?.version == 3)
    #expect(try await world.dose(id, at: Self.now) == undone.accepted)
    #expect(try await world.intakes().isEmpty)
    let refused = try await world.answer(id, AnswerRequest(action: .refused), at: Self.now)
    #expect(refused.accepted?.version == 4)
    // The same undo again is a repetition and leaves the new answer alone.
    #expect(try await world.answer(id, undo, at: Self.now).accepted == refused.accepted)
    #expect(
      try await world.administrations().map(\.status) == ["entered-in-error", "not-done"])
  }

  @Test func undoNamesTheAnswerThatItTakesBack() async throws {
    let (world, id) = try await world()
    _ = try await world.answer(id, AnswerRequest(action: .taken), at: Self.now)
    _ = try await world.answer(id, AnswerRequest(action: .skipped, corrects: 2), at: Self.now)
    let old = try await world.answer(id, AnswerRequest(action: .undo, corrects: 2), at: Self.now)
    #expect(old.refusal == .stale)
    #expect(old.dose?.state == .skipped)
    let named = try await world.answer(id, AnswerRequest(action: .undo, corrects: 3), at: Self.now)
    #expect(named.accepted?.state == .due)
    let again = try await world.answer(id, AnswerRequest(action: .undo, corrects: 3), at: Self.now)
    #expect(again.accepted == named.accepted)
    let unknown = try await world.answer(
      id, AnswerRequest(action: .undo, corrects: 9), at: Self.now)
    #expect(unknown.refusal == .stale)
  }

  @Test func anEventIsRememberedForEver() async throws {
    let (world, id) = try await world()
    let other = try await world.addDose("m", 1, dueMinutes: 720)
    let taken = AnswerRequest(action: .taken, event: event(1).uppercased(), confirm: true)
    _ = try await world.answer(id, taken, at: Self.now)
    // A second device sends the same answer, which uses up its event.
    let echo = AnswerRequest(action: .taken, event: event(2))
    _ = try await world.answer(id, echo, at: Self.now, actor: .guardian)
    let undone = try await world.answer(id, AnswerRequest(action: .undo), at: Self.now)
    let before = try await world.snapshot()
    for request in [taken, AnswerRequest(action: .taken, event: event(1)), echo] {
      let replay = try await world.answer(id, request, at: Self.minutes(50_000))
      #expect(replay.accepted?.version == undone.accepted?.version)
      #expect(replay.accepted?.answer == nil)
    }
    let elsewhere = try await world.answer(other, taken, at: Self.now)
    #expect(elsewhere.refusal == .invalid(.eventUsedElsewhere))
    let otherwise = try await world.answer(
      id, AnswerRequest(action: .skipped, event: event(1)), at: Self.now)
    #expect(otherwise.refusal == .invalid(.eventUsedElsewhere))
    #expect(try await world.snapshot() == before)
  }

  @Test func laterPutsOffAndIsNoOutcome() async throws {
    let (world, id) = try await world()
    let later = try await world.answer(
      id, AnswerRequest(action: .later, minutes: 30), at: Self.now)
    #expect(later.accepted?.state == .later)
    #expect(later.accepted?.laterUntil == Self.minutes(34))
    #expect(try await world.dose(id, at: Self.now) == later.accepted)
    #expect(try await world.dose(id, at: Self.minutes(34))?.state == .due)
    #expect(try await world.administrations().isEmpty)
    let longer = try await world.answer(
      id, AnswerRequest(action: .later, minutes: 60), at: Self.now)
    #expect(longer.accepted?.laterUntil == Self.minutes(64))
    let undone = try await world.answer(id, AnswerRequest(action: .undo), at: Self.now)
    #expect(undone.accepted?.state == .due)
    #expect(undone.accepted?.laterUntil == nil)
    _ = try await world.answer(id, AnswerRequest(action: .later, minutes: 10), at: Self.now)
    let taken = try await world.answer(id, AnswerRequest(action: .taken), at: Self.now)
    #expect(taken.accepted?.state == .taken)
    #expect(taken.accepted?.laterUntil == nil)
    #expect(taken.accepted?.version == 6)
  }

  @Test func laterThatCorrectsTakesTheOutcomeBack() async throws {
    let (world, id) = try await world()
    _ = try await world.answer(id, AnswerRequest(action: .taken), at: Self.now)
    let later = try await world.answer(
      id, AnswerRequest(action: .later, minutes: 10, corrects: 2), at: Self.now)
    #expect(later.accepted?.state == .later)
    #expect(try await world.intakes().isEmpty)
    #expect(try await world.administrations().map(\.status) == ["entered-in-error"])
    let taken = try await world.answer(id, AnswerRequest(action: .taken), at: Self.now)
    #expect(taken.accepted?.state == .taken)
    #expect(
      try await world.administrations().map(\.status) == ["entered-in-error", "completed"])
  }

  @Test(
    arguments: [
      (nil, AnswerIssue.missingMinutes), (0, .minutesOutOfRange(maximum: 235)),
      (-10, .minutesOutOfRange(maximum: 235)), (236, .minutesOutOfRange(maximum: 235)),
      (.max, .minutesOutOfRange(maximum: 235)),
    ] as [(Int?, AnswerIssue)])
  func laterEndsBeforeTheLateWindow(minutes: Int?, issue: AnswerIssue) async throws {
    let (world, id) = try await world()
    let refused = try await world.answer(
      id, AnswerRequest(action: .later, minutes: minutes), at: Self.now)
    #expect(refused.refusal == .invalid(issue))
    #expect(try await world.dose(id)?.version == 1)
  }

  @Test(arguments: [
    (AnswerRequest(action: .taken, event: "soon"), AnswerIssue.badEvent),
    (AnswerRequest(action: .taken, event: ""), .badEvent),
    (
      AnswerRequest(action: .skipped, reason: String(repeating: "ä", count: 501)),
      .reasonTooLong(maximum: 500)
    ),
    (AnswerRequest(action: .taken, at: Timestamp(milliseconds: .min)), .timeOutOfRange),
    (AnswerRequest(action: .taken, at: Timestamp(milliseconds: .max)), .futureTime),
    (AnswerRequest(action: .taken, at: minutes(6)), .futureTime),
    (
      AnswerRequest(action: .skipped, at: now.adding(milliseconds: 60_001)), .futureTime
    ),
  ])
  func aBadRequestChangesNothing(request: AnswerRequest, issue: AnswerIssue) async throws {
    let (world, id) = try await world()
    let before = try await world.snapshot()
    #expect(try await world.answer(id, request, at: Self.now).refusal == .invalid(issue))
    #expect(try await world.snapshot() == before)
  }

  @Test(arguments: [Int64(1), 30_000, 60_000])
  func aClockSlightlyAheadCountsAsNow(ahead: Int64) async throws {
    let (world, id) = try await world()
    let request = AnswerRequest(action: .taken, at: Self.now.adding(milliseconds: ahead))
    #expect(try await world.answer(id, request, at: Self.now).accepted?.answer?.at == Self.now)
  }

  @Test func anyTimeInThePastMayBeSaidHoweverLate() async throws {
    let (world, id) = try await world()
    let longAfter = Self.minutes(500_000)
    #expect(try await world.dose(id, at: longAfter)?.state == .missed)
    let request = AnswerRequest(action: .taken, at: Self.minutes(-400_000), confirm: true)
    let dose = try #require(try await world.answer(id, request, at: longAfter).accepted)
    #expect(dose.state == .taken)
    #expect(!dose.isLate)
    let second = try await world.addDose("m", 1, dueMinutes: 720)
    let late = try await world.answer(second, AnswerRequest(action: .taken), at: longAfter)
    #expect(late.accepted?.isLate == true)
  }

  @Test func aScheduledDoseMayBeAnsweredBeforeItIsDue() async throws {
    let (world, id) = try await world()
    let early = Self.minutes(-2_000)
    let taken = try await world.answer(
      id, AnswerRequest(action: .taken, confirm: true), at: early)
    #expect(taken.accepted?.state == .taken)
    #expect(
      try await world.answer(id, AnswerRequest(action: .undo), at: early).accepted?.state
        == .scheduled)
    let later = try await world.answer(id, AnswerRequest(action: .later, minutes: 10), at: early)
    // It counts from the due time, because nothing would have rung before.
    #expect(later.accepted?.laterUntil == Self.minutes(10))
  }

  @Test func aWithheldDoseMayBeAnsweredAndIsWithheldAgainAfterUndo() async throws {
    let (world, id) = try await world(state: .withheld, reason: .zoneChange)
    #expect(
      try await world.answer(id, AnswerRequest(action: .taken), at: Self.now).accepted?.state
        == .taken)
    let undone = try await world.answer(id, AnswerRequest(action: .undo), at: Self.now)
    #expect(undone.accepted?.state == .withheld)
    #expect(undone.accepted?.stateReason == "zone-change")
    #expect(
      try await world.answer(id, AnswerRequest(action: .later, minutes: 10), at: Self.now)
        .accepted?.state == .later)
  }

  @Test(arguments: AnswerAction.allCases)
  func aCancelledDoseTakesNoAnswer(action: AnswerAction) async throws {
    let (world, id) = try await world(state: .cancelled, reason: .stopped)
    let before = try await world.snapshot()
    let refused = try await world.answer(
      id, AnswerRequest(action: action, event: event(1), minutes: 10), at: Self.now)
    #expect(refused.refusal == .cancelled)
    #expect(refused.dose?.state == .cancelled)
    #expect(try await world.snapshot() == before)
  }

  @Test func undoOfAFutureDoseOfAStoppedPlanCallsItOff() async throws {
    let (world, id) = try await world(plan: "stopped")
    let due = Self.now
    _ = try await world.answer(id, AnswerRequest(action: .taken), at: Self.minutes(-60))
    let early = try await world.answer(id, AnswerRequest(action: .undo), at: Self.minutes(-30))
    #expect(early.accepted?.state == .cancelled)
    #expect(early.accepted?.stateReason == "stopped")
    let past = try await world.addDose("m", 1, dueMinutes: -720)
    _ = try await world.answer(past, AnswerRequest(action: .skipped), at: due)
    #expect(
      try await world.answer(past, AnswerRequest(action: .undo), at: due).accepted?.state == .missed
    )
  }

  @Test func strangersFindNothingAndFamilyMayNotAnswer() async throws {
    let (world, id) = try await world()
    let taken = AnswerRequest(action: .taken)
    let before = try await world.snapshot()
    #expect(try await world.answer(id, taken, actor: .stranger).refusal == .notFound)
    #expect(
      try await world.answer(id, taken, actor: .stranger, patient: "otto").refusal == .notFound)
    #expect(try await world.answer(id, taken, actor: .family).refusal == .notAuthorized)
    let unknown = DoseID(plan: "m", era: 2, occurrence: .running(0))
    #expect(try await world.answer(unknown, taken).refusal == .notFound)
    #expect(try await world.snapshot() == before)
    #expect(try await world.answer(id, taken, actor: .guardian).accepted?.state == .taken)
  }

  @Test func everyChangeHasItsAuditRowAndNoOtherHas() async throws {
    let (world, id) = try await world()
    _ = try await world.answer(id, AnswerRequest(action: .taken), at: Self.now)
    _ = try await world.answer(id, AnswerRequest(action: .taken), at: Self.now)
    _ = try await world.answer(id, AnswerRequest(action: .skipped), at: Self.now)
    _ = try await world.answer(id, AnswerRequest(action: .undo), at: Self.now)
    _ = try await world.answer(id, AnswerRequest(action: .later, minutes: 10), at: Self.now)
    #expect(try await world.auditedVersions(of: id) == [2, 3, 4])
  }
}
