// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans

/// A dose taken before its time: tomorrow's, logged instead of today's, would never ring.
@Suite struct EarlyIntakeTests {
  private static func minutes(_ minutes: Int64) -> Timestamp {
    AnswerWorld.eight.adding(milliseconds: minutes * AnswerWorld.minute)
  }

  private func world() async throws -> (AnswerWorld, DoseID) {
    let world = try await AnswerWorld()
    try await world.addPlan("m")
    return (world, try await world.addDose("m"))
  }

  @Test(
    arguments: [
      (-1380, true), (-240, true), (-61, true), (-60, false), (0, false), (300, false),
    ] as [(Int64, Bool)])
  func `an early dose is questioned until an hour before it is due`(
    at minutes: Int64, isAsked: Bool
  ) async throws {
    let (world, id) = try await world()
    let request = AnswerRequest(action: .taken, event: event(1))
    let before = try await world.snapshot()
    let outcome = try await world.answer(id, request, at: Self.minutes(minutes))
    guard isAsked else {
      #expect(outcome.accepted?.state == .taken)
      return
    }
    let early = try #require(outcome.question?.early)
    #expect(early.dose == id && early.due == AnswerWorld.eight)
    #expect(early.from == Self.minutes(-60) && early.at == Self.minutes(minutes))
    #expect(outcome.asked == [])
    #expect(try await world.snapshot() == before)
    var confirmed = request
    confirmed.confirm = true
    let taken = try await world.answer(id, confirmed, at: Self.minutes(minutes))
    #expect(taken.accepted?.answer?.at == Self.minutes(minutes))
  }

  @Test func `the time of intake is what counts`() async throws {
    let (world, id) = try await world()
    let earlier = AnswerRequest(action: .taken, at: Self.minutes(-90))
    #expect(try await world.answer(id, earlier, at: Self.minutes(10)).question?.early != nil)
    _ = try await world.answer(id, AnswerRequest(action: .taken), at: Self.minutes(10))
    let corrected = AnswerRequest(action: .taken, at: Self.minutes(-90), corrects: 2)
    #expect(try await world.answer(id, corrected, at: Self.minutes(20)).question?.early != nil)
    let reason = AnswerRequest(action: .taken, reason: "on the road", corrects: 2)
    #expect(try await world.answer(id, reason, at: Self.minutes(20)).accepted != nil)
  }

  @Test func `a recent intake is part of the same question`() async throws {
    let (world, id) = try await world()
    let tomorrow = try await world.addDose("m", 1, dueMinutes: 1440)
    _ = try await world.answer(id, AnswerRequest(action: .taken), at: Self.minutes(0))
    let outcome = try await world.answer(
      tomorrow, AnswerRequest(action: .taken), at: Self.minutes(60))
    let question = try #require(outcome.question)
    #expect(question.early?.dose == tomorrow && question.intakes.map(\.dose) == [id])
    #expect(question.keys.count == 2)
  }

  @Test(arguments: [AnswerAction.skipped, .refused, .later])
  func `skipping or snoozing early needs no question`(action: AnswerAction) async throws {
    let (world, id) = try await world()
    let outcome = try await world.answer(
      id, AnswerRequest(action: action, minutes: 10), at: Self.minutes(-600))
    #expect(outcome.accepted != nil)
  }

  @Test func `an intake by medicine name doesn't answer a dose early`() async throws {
    let (world, id) = try await world()
    let outcome = try await world.administer(
      AdministrationRequest(
        patient: AnswerWorld.patient, medicine: "m", at: Self.minutes(-61)),
      at: Self.minutes(-61))
    #expect(outcome.recorded != nil && outcome.recorded?.dose == nil)
    #expect(try await world.dose(id, at: Self.minutes(-61))?.state == .scheduled)
  }
}
