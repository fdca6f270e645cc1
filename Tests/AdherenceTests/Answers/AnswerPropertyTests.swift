// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans

/// Any order of answers, corrections, repetitions and extra intakes gives consistent results.
@Suite("Answers in any order")
struct AnswerPropertyTests {
  /// A press that can be repeated.
  enum Press: Sendable {
    case answer(Int, AnswerRequest)
    case administer(AdministrationRequest)

    var event: String? {
      switch self {
      case .answer(_, let request): request.event
      case .administer(let request): request.event
      }
    }
  }

  static func time(_ minutes: Int) -> Timestamp {
    AnswerWorld.eight.adding(milliseconds: Int64(minutes) * AnswerWorld.minute)
  }

  static func minutes(_ time: Timestamp) -> Int {
    Int((time.milliseconds - AnswerWorld.eight.milliseconds) / AnswerWorld.minute)
  }

  @Test(arguments: UInt64(1)...24)
  func oneTruthIsKept(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (world, ids, start) = try await plans()
    var model = start
    var accepted: [Press] = []
    var now = -90
    for step in 0..<40 {
      now += Int.random(in: 0...45, using: &random)
      let isReplay = !accepted.isEmpty && Int.random(in: 0..<5, using: &random) == 0
      let press =
        isReplay
        ? accepted.randomElement(using: &random) ?? Self.press(step, now, model, &random)
        : Self.press(step, now, model, &random)
      let before = try await world.snapshot()
      let expected = Self.judge(press, by: &model, now: now)
      let outcome = try await Self.send(press, to: world, ids, now: now)
      #expect(Self.verdictIsRight(outcome, expected), "\(step): \(press) gave \(outcome)")
      let isAccepted = expected == .changed || expected == .unchanged
      if isReplay || !isAccepted { #expect(try await world.snapshot() == before) }
      if isAccepted && press.event != nil { accepted.append(press) }
      try await Self.check(world, ids, against: model, now: now)
    }
    let before = try await world.snapshot()
    for press in accepted {
      let outcome = try await Self.send(press, to: world, ids, now: now)
      #expect(outcome.accepted != nil || outcome.recorded != nil)
    }
    #expect(try await world.snapshot() == before)
  }

  /// Creates two plans with one ingredient, the second without a gap.
  private func plans() async throws -> (AnswerWorld, [DoseID], AnswerModel) {
    let world = try await AnswerWorld()
    try await world.addPlan("m", gapHours: 3)
    try await world.addPlan("n", gapHours: nil)
    var ids: [DoseID] = []
    var model = AnswerModel(doses: [])
    let places: [(PlanID, Int)] = [("m", 0), ("m", 360), ("m", 720), ("n", 30), ("n", 300)]
    for (index, place) in places.enumerated() {
      let (plan, due) = place
      model.doses.append(.init(plan: plan, due: due, next: due + 360))
      ids.append(
        try await world.addDose(
          plan, Int64(index), dueMinutes: Int64(due), nextMinutes: Int64(due + 360)))
    }
    return (world, ids, model)
  }

  private static func press(
    _ step: Int, _ now: Int, _ model: AnswerModel, _ random: inout SeededGenerator
  ) -> Press {
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    let past = now - Int.random(in: 0...200, using: &random)
    if chance(20) {
      return .administer(
        AdministrationRequest(
          patient: AnswerWorld.patient, medicine: chance(50) ? "m" : "n", at: time(past),
          taken: chance(80), event: event(step), confirm: chance(40)))
    }
    let dose = Int.random(in: model.doses.indices, using: &random)
    let action = AnswerAction.allCases.randomElement(using: &random) ?? .taken
    let version = model.doses[dose].version
    let corrects: Int64? =
      chance(50) ? nil : chance(70) ? version : version + Int64.random(in: -2...1, using: &random)
    return .answer(
      dose,
      AnswerRequest(
        action: action, event: chance(60) ? event(step) : nil, at: chance(40) ? time(past) : nil,
        minutes: [10, 30, 120].randomElement(using: &random), corrects: corrects,
        confirm: chance(40)))
  }

  private static func judge(
    _ press: Press, by model: inout AnswerModel, now: Int
  ) -> AnswerModel.Verdict {
    switch press {
    case .answer(let dose, let request):
      model.answer(
        dose, request.action, at: request.at.map(minutes), minutes: request.minutes ?? 0,
        corrects: request.corrects, confirm: request.confirm, event: request.event, now: now)
    case .administer(let request):
      model.administer(
        PlanID(request.medicine), at: minutes(request.at), taken: request.taken,
        confirm: request.confirm, event: request.event ?? "", now: now)
    }
  }

  private static func send(
    _ press: Press, to world: AnswerWorld, _ ids: [DoseID], now: Int
  ) async throws -> AnswerOutcome {
    switch press {
    case .answer(let dose, let request):
      try await world.answer(ids[dose], request, at: time(now))
    case .administer(let request):
      try await world.administer(request, at: time(now))
    }
  }

  private static func verdictIsRight(
    _ outcome: AnswerOutcome, _ expected: AnswerModel.Verdict
  ) -> Bool {
    switch (outcome, expected) {
    case (.dose, .changed), (.dose, .unchanged), (.recorded, .changed), (.recorded, .unchanged),
      (.refused(.answered, _), .answered), (.refused(.stale, _), .stale), (.asked, .asked),
      (.refused(.invalid(.minutesOutOfRange), _), .invalid):
      true
    default: false
    }
  }

  /// Checks that the rows and the administrations match the model.
  private static func check(
    _ world: AnswerWorld, _ ids: [DoseID], against model: AnswerModel, now: Int
  ) async throws {
    for (id, expected) in zip(ids, model.doses) {
      let dose = try #require(try await world.dose(id, at: time(now)))
      #expect(dose.version == expected.version)
      #expect(dose.laterUntil == expected.later.map(time))
      if let outcome = expected.outcome {
        #expect(dose.state.rawValue == outcome.rawValue)
        #expect(dose.answer?.action == outcome)
        #expect(dose.answer?.at == time(expected.at))
      } else {
        #expect(!dose.state.isAnswered)
        #expect(dose.answer?.action == (expected.later == nil ? nil : .later))
      }
    }
    let intakes = try await world.intakes()
    let seen = intakes.map { intake in
      AnswerModel.Intake(
        dose: intake.dose.flatMap { ids.firstIndex(of: $0) }, at: minutes(intake.taken))
    }
    #expect(seen.sorted(by: inOrder) == model.intakes.sorted(by: inOrder))
    let administrations = try await world.administrations()
    let completed = administrations.filter { $0.status == "completed" }
    #expect(Set(completed.map(\.id)) == Set(intakes.map(\.administration)))
    #expect(completed.count == intakes.count)
    let notDone = model.doses.count { $0.outcome == .skipped || $0.outcome == .refused }
    #expect(
      administrations.count { $0.status == "not-done" } == notDone + model.notTaken)
  }

  private static func inOrder(_ one: AnswerModel.Intake, _ other: AnswerModel.Intake) -> Bool {
    (one.at, one.dose ?? -1) < (other.at, other.dose ?? -1)
  }
}
