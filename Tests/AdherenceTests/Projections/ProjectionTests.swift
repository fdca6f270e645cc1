// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport
import TimeZones

@testable import Adherence
@testable import Dosing
@testable import Plans

/// Rows derived from the facts are found to be right, and are rebuilt if someone changed them.
@Suite struct ProjectionTests {
  /// Creates doses answered in every way, and entries without a dose.
  private static func world() async throws -> AnswerWorld {
    let world = try await AnswerWorld()
    try await world.addPlan("plan", gapHours: nil)
    var number: Int64 = 0
    for actions: [AnswerAction] in [
      [.taken], [.skipped], [.refused], [.later], [.taken, .undo], [.later, .taken], [],
    ] {
      let dose = try await world.addDose("plan", number, dueMinutes: number * 5)
      for action in actions {
        let version = try await world.dose(dose)?.version
        let outcome = try await world.answer(
          dose,
          AnswerRequest(
            action: action, minutes: action == .later ? 10 : nil,
            corrects: action == .undo ? version : nil, confirm: true))
        #expect(outcome.accepted != nil, "\(actions)")
      }
      number += 1
    }
    _ = try await world.administer(
      AdministrationRequest(
        patient: AnswerWorld.patient, medicine: "Ibuprofen", at: AnswerWorld.eight, taken: true,
        confirm: true))
    return world
  }

  private static func snapshot(_ world: AnswerWorld) async throws -> [String] {
    try await world.database.read { reader in
      let doses = try reader.query(
        """
        SELECT occurrence, state, answer, answered_at, later_until FROM doses
        ORDER BY patient, plan, era, occurrence
        """)
      let intakes = try reader.query(
        """
        SELECT administration, plan, era, occurrence, medicine_name, ingredients, taken, recorded,
          by_name, amount_value, amount_unit FROM intakes ORDER BY patient, administration
        """)
      return (doses + intakes).map { row in "\((0..<row.count).map { row[$0] })" }
    }
  }

  private static func rebuild(_ world: AnswerWorld) async throws -> ProjectionRebuild.Result {
    try await world.database.write { writer in
      // The plan of this world has no prescription to plan from.
      try writer.execute("UPDATE plans SET status = 'stopped'", [])
      return try ProjectionRebuild.perform(
        now: AnswerWorld.eight, zones: ZoneCatalog(), in: writer)
    }
  }

  private static func faults(_ world: AnswerWorld) async throws -> [ProjectionFault] {
    try await world.database.read { try ProjectionCheck.faults(in: $0) }
  }

  @Test func `projections written by the commands follow from the facts`() async throws {
    let world = try await Self.world()
    let before = try await Self.snapshot(world)
    #expect(try await Self.faults(world).isEmpty)
    #expect(try await Self.rebuild(world).isUnchanged)
    #expect(try await Self.snapshot(world) == before)
  }

  private static let changes: [(StaticString, ProjectionFault.Kind)] = [
    ("UPDATE doses SET state = 'open' WHERE state = 'taken'", .dose),
    ("UPDATE doses SET answered_at = answered_at + 1 WHERE state = 'skipped'", .dose),
    ("UPDATE doses SET answer = NULL WHERE state = 'refused'", .dose),
    ("UPDATE doses SET state = 'taken' WHERE state = 'open'", .dose),
    ("DELETE FROM intakes", .intakeMissing),
    ("UPDATE intakes SET administration = administration || 'x'", .intakeUnfounded),
  ]

  @Test(arguments: changes)
  func `a changed projection is detected and repaired`(
    statement: StaticString, kind: ProjectionFault.Kind
  ) async throws {
    let world = try await Self.world()
    let before = try await Self.snapshot(world)
    let sql = SQLText(statement)
    try await world.database.write { try $0.execute(dynamic: sql, []) }
    #expect(try await Self.faults(world).contains { $0.kind == kind })
    #expect(try await !Self.rebuild(world).isUnchanged)
    #expect(try await Self.faults(world).isEmpty)
    #expect(try await Self.snapshot(world) == before)
    #expect(try await Self.rebuild(world).isUnchanged)
  }

  @Test func `missing doses and records are reported, not recreated`() async throws {
    let world = try await Self.world()
    try await world.database.write { writer in
      try writer.execute("DELETE FROM doses WHERE state = 'skipped'", [])
      try writer.execute("DELETE FROM resources WHERE status = 'not-done'", [])
    }
    _ = try await Self.rebuild(world)
    let kinds = Set(try await Self.faults(world).map(\.kind))
    #expect(kinds == [.doseMissing, .recordMissing])
  }
}
