// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Records
import Storage
import Testing
import TestSupport

@testable import Adherence
@testable import Dosing
@testable import Plans

/// Deleting a record of a dose is an undo whose record goes away.
@Suite struct AdministrationRemovalTests {
  private static let now = AnswerWorld.eight.adding(milliseconds: 60 * AnswerWorld.minute)

  private func delete(
    _ id: AdministrationID, in world: AnswerWorld, ifVersion: Int64? = nil,
    actor: Actor = .itself, at now: Timestamp = now
  ) async throws -> Int64? {
    let context = world.context(now: now, actor: actor)
    return try await world.database.write { writer in
      try AdministrationRemoval.delete(
        id, patient: AnswerWorld.patient, ifVersion: ifVersion, context: context, in: writer)
    }
  }

  @Test func `the dose is open again, and the record is gone with its intake`() async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("m")
    let dose = try await world.addDose("m")
    _ = try await world.answer(dose, AnswerRequest(action: .taken))
    let record = try #require(try await world.administrations().first)
    await #expect(throws: AnswerError.self) {
      _ = try await delete(record.id, in: world, ifVersion: 9)
    }
    #expect(try await world.intakes().count == 1)
    // The version with the status entered-in-error, then the deletion.
    #expect(try await delete(record.id, in: world, ifVersion: 1) == 3)
    #expect(try await world.dose(dose, at: Self.now)?.state == .due)
    #expect(try await world.intakes().isEmpty)
    #expect(try await world.administrations().isEmpty)
    #expect(try await delete(record.id, in: world) == nil)
    // A further answer has a record of its own.
    _ = try await world.answer(dose, AnswerRequest(action: .skipped), at: Self.now)
    #expect(try await world.administrations().map(\.status) == ["not-done"])
    #expect(try await world.database.read { try ProjectionCheck.faults(in: $0) }.isEmpty)
  }

  @Test func `a record that was taken back leaves the present answer alone`() async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("m")
    let dose = try await world.addDose("m")
    _ = try await world.answer(dose, AnswerRequest(action: .taken))
    _ = try await world.answer(dose, AnswerRequest(action: .undo))
    _ = try await world.answer(dose, AnswerRequest(action: .taken), at: Self.now)
    let records = try await world.administrations()
    #expect(records.map(\.status) == ["entered-in-error", "completed"])
    #expect(try await delete(records[0].id, in: world) == 3)
    #expect(try await world.dose(dose, at: Self.now)?.state == .taken)
    #expect(try await world.administrations().map(\.id) == [records[1].id])
  }

  @Test(arguments: [true, false])
  func `an entry without a dose no longer counts`(isTaken: Bool) async throws {
    let world = try await AnswerWorld()
    let entered = try await world.administer(
      AdministrationRequest(
        patient: AnswerWorld.patient, medicine: "Ibuprofen", at: AnswerWorld.eight,
        taken: isTaken))
    let id = try #require(entered.recorded).id
    #expect(try await delete(id, in: world) == 3)
    #expect(try await world.intakes().isEmpty)
    #expect(try await world.administrations().isEmpty)
    #expect(try await world.database.read { try ProjectionCheck.faults(in: $0) }.isEmpty)
    // An undo that arrives late changes nothing.
    let context = world.context(now: Self.now)
    try await world.database.write { writer in
      try IntakeCommands.takeBack(
        id, patient: AnswerWorld.patient, context: context, in: writer)
    }
  }

  @Test func `those who only read, and strangers, delete nothing`() async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("m")
    let dose = try await world.addDose("m")
    _ = try await world.answer(dose, AnswerRequest(action: .taken))
    let record = try #require(try await world.administrations().first)
    for actor in [Actor.family, .stranger] {
      await #expect(throws: AnswerError.self) {
        _ = try await delete(record.id, in: world, actor: actor)
      }
    }
    await #expect(throws: AnswerError.self) { _ = try await delete("unknown", in: world) }
    #expect(try await world.administrations() == [record])
  }
}
