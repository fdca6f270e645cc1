// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans

@Suite("Intakes without a dose")
struct IntakeCommandsTests {
  static let now = minutes(1_440)

  static func minutes(_ minutes: Int64) -> Timestamp {
    AnswerWorld.eight.adding(milliseconds: minutes * AnswerWorld.minute)
  }

  private func request(
    _ medicine: String = "m", at minutes: Int64 = 0, taken: Bool = true, event: String? = nil,
    confirm: Bool = false, amount: Amount? = nil
  ) -> AdministrationRequest {
    AdministrationRequest(
      patient: AnswerWorld.patient, medicine: medicine, at: Self.minutes(minutes), amount: amount,
      taken: taken, reason: taken ? nil : "felt sick", event: event, confirm: confirm)
  }

  /// Creates doses at eight and at noon, on time for an hour and late for four hours.
  private func world() async throws -> (AnswerWorld, [DoseID]) {
    let world = try await AnswerWorld()
    try await world.addPlan("m")
    return (
      world, [try await world.addDose("m"), try await world.addDose("m", 1, dueMinutes: 240)]
    )
  }

  @Test(
    arguments: [
      (-61, nil), (-60, 0), (0, 0), (119, 0), (180, 1), (239, 1), (240, 1), (479, 1), (480, nil),
      (179, 0),
    ] as [(Int64, Int?)])
  func theNearestOpenDoseWhoseWindowHoldsItIsAnswered(minutes: Int64, dose: Int?) async throws {
    let (world, doses) = try await world()
    let recorded = try #require(
      try await world.administer(request(at: minutes), at: Self.now).recorded)
    #expect(recorded.dose?.id == dose.map { doses[$0] })
    #expect(recorded.dose?.state == (dose == nil ? nil : .taken))
    let intakes = try await world.intakes()
    #expect(intakes.map(\.administration) == [recorded.id])
    #expect(intakes.map(\.taken) == [Self.minutes(minutes)])
    #expect(intakes.map(\.dose) == [dose.map { doses[$0] }])
    #expect(try await world.administrations().map(\.id) == [recorded.id])
  }

  @Test func anAnsweredDoseIsPassedOver() async throws {
    let (world, doses) = try await world()
    _ = try await world.answer(doses[0], AnswerRequest(action: .skipped), at: Self.now)
    let first = try await world.administer(request(at: 30), at: Self.now)
    #expect(first.recorded != nil && first.recorded?.dose == nil)
    let asked = try await world.administer(request(at: 40), at: Self.now)
    #expect(asked.asked?.map(\.taken) == [Self.minutes(30)])
    let second = try await world.administer(request(at: 40, confirm: true), at: Self.now)
    #expect(second.recorded?.dose == nil)
    #expect(try await world.intakes().count == 2)
  }

  @Test func notTakenAnswersTheDoseAsSkippedOrStandsAlone() async throws {
    let (world, doses) = try await world()
    let skipped = try await world.administer(request(taken: false), at: Self.now)
    #expect(skipped.recorded?.dose?.id == doses[0])
    #expect(skipped.recorded?.dose?.state == .skipped)
    let alone = try await world.administer(request("Ibuprofen", taken: false), at: Self.now)
    #expect(alone.recorded?.dose == nil)
    #expect(try await world.administrations().map(\.status) == ["not-done", "not-done"])
    #expect(try await world.intakes().isEmpty)
  }

  @Test(arguments: ["Metoprolol", "  métoprolol "])
  func aNameOfOneActivePlanCountsForIt(name: String) async throws {
    let (world, doses) = try await world()
    try await world.addPlan("old", status: "stopped")
    #expect(
      try await world.administer(request(name), at: Self.now).recorded?.dose?.id == doses[0])
  }

  @Test func aNameOfTwoPlansIsAFreeEntryThatKeepsTheirLongestGap() async throws {
    let (world, doses) = try await world()
    try await world.addPlan("n", gapHours: 2)
    let free = try await world.administer(request("Metoprolol"), at: Self.now)
    #expect(free.recorded != nil && free.recorded?.dose == nil)
    #expect(try await world.intakes().map(\.plan) == [nil])
    let asked = try await world.administer(request("METOPROLOL", at: 300), at: Self.now)
    #expect(asked.asked?.count == 1)
    let dose = try await world.answer(
      doses[1], AnswerRequest(action: .taken, at: Self.minutes(300)), at: Self.now)
    #expect(dose.asked?.map(\.medicineName) == ["Metoprolol"])
  }

  @Test func aMedicineWithoutAPlanIsAFreeEntryWithoutAQuestion() async throws {
    let (world, _) = try await world()
    let amount = try #require(Amount(value: "400", unit: "mg"))
    let first = try await world.administer(request("Ibuprofen", amount: amount), at: Self.now)
    let second = try await world.administer(request("Ibuprofen", at: 1), at: Self.now)
    #expect(first.recorded?.id != second.recorded?.id)
    let intakes = try await world.intakes()
    #expect(intakes.map(\.medicineName) == ["Ibuprofen", "Ibuprofen"])
    #expect(intakes.map(\.amount) == [amount, nil])
  }

  @Test func aPlanNamedByItsIdMayBeStopped() async throws {
    let (world, _) = try await world()
    try await world.addPlan("old", name: "Aspirin", status: "stopped")
    #expect(try await world.administer(request("old"), at: Self.now).recorded != nil)
    #expect(try await world.intakes().map(\.plan) == ["old"])
  }

  @Test func aRepeatedEventIsOneEntry() async throws {
    let (world, doses) = try await world()
    for medicine in ["m", "Ibuprofen"] {
      let one = request(medicine, event: event(medicine.count))
      let first = try #require(try await world.administer(one, at: Self.now).recorded)
      let before = try await world.snapshot()
      #expect(try await world.administer(one, at: Self.now).recorded == first)
      #expect(try await world.snapshot() == before)
    }
    // The same press on the dose itself is the same answer.
    let over = AnswerRequest(action: .taken, event: event(1))
    #expect(try await world.answer(doses[0], over, at: Self.now).accepted?.version == 2)
    let other = request("Ibuprofen", taken: false, event: event(1))
    #expect(
      try await world.administer(other, at: Self.now).refusal == .invalid(.eventUsedElsewhere))
    #expect(try await world.intakes().count == 2)
  }

  @Test(
    arguments: [
      ("  ", nil, .invalid(.missingMedicine)), ("\u{200B}", nil, .invalid(.missingMedicine)),
      (String(repeating: "x", count: 201), nil, .invalid(.medicineTooLong(maximum: 200))),
      ("00000000-0000-4000-8000-000000000000", nil, .notFound),
      ("m", "x", .invalid(.badEvent)),
    ] as [(String, String?, AnswerOutcome.Refusal)])
  func aBadEntryChangesNothing(
    medicine: String, event: String?, refusal: AnswerOutcome.Refusal
  ) async throws {
    let (world, _) = try await world()
    let before = try await world.snapshot()
    let outcome = try await world.administer(request(medicine, event: event), at: Self.now)
    #expect(outcome.refusal == refusal)
    #expect(try await world.snapshot() == before)
  }

  @Test func theFutureIsRefusedAndStrangersFindNothing() async throws {
    let (world, _) = try await world()
    let ahead = request("Ibuprofen", at: 1_442)
    #expect(try await world.administer(ahead, at: Self.now).refusal == .invalid(.futureTime))
    #expect(
      try await world.administer(request(), at: Self.now, actor: .stranger).refusal == .notFound)
    #expect(
      try await world.administer(request(), at: Self.now, actor: .family).refusal == .notAuthorized)
    #expect(try await world.intakes().isEmpty)
  }

  @Test func anExtraIntakeIsTakenBackOnce() async throws {
    let (world, doses) = try await world()
    let extra = try #require(
      try await world.administer(request("Ibuprofen"), at: Self.now).recorded)
    let dosed = try #require(try await world.administer(request(), at: Self.now).recorded)
    func takeBack(_ id: String) async throws -> AnswerOutcome.Refusal? {
      let context = world.context(now: Self.now)
      do {
        try await world.database.write { writer in
          try IntakeCommands.takeBack(
            AdministrationID(id), patient: AnswerWorld.patient, context: context, in: writer)
        }
        return nil
      } catch let error as AnswerError {
        return AnswerOutcome(error).refusal
      }
    }
    #expect(try await takeBack(extra.id.text) == nil)
    let after = try await world.snapshot()
    #expect(try await takeBack(extra.id.text) == nil)
    #expect(try await takeBack(dosed.id.text) == .notFound)
    #expect(try await takeBack("unknown") == .notFound)
    #expect(try await world.snapshot() == after)
    #expect(try await world.intakes().map(\.dose) == [doses[0]])
    #expect(
      try await world.administrations().map(\.status) == ["entered-in-error", "completed"])
  }
}
