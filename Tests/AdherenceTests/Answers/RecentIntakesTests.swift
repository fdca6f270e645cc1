// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Dosing
@testable import Plans

/// Intakes read once for a page give the same results as separate queries.
@Suite struct RecentIntakesTests {
  private static let now = AnswerWorld.eight

  /// Creates three plans, two with a gap, and intakes of the last days by plan or by name, some of doses.
  private func world(intakes: Int, seed: UInt64) async throws -> AnswerWorld {
    let world = try await AnswerWorld()
    try await world.addPlan("p0", name: "Metoprolol", gapHours: 6)
    try await world.addPlan("p1", name: "Ramipril", gapHours: 30)
    try await world.addPlan("p2", name: "Tea", gapHours: nil)
    var generator = SeededGenerator(seed: seed)
    let drawn = (0..<intakes).map { _ in
      (
        plan: Int.random(in: 0...4, using: &generator), isOfDose: Bool.random(using: &generator),
        minutes: Int64.random(in: -3_000...5, using: &generator)
      )
    }
    try await world.database.write { writer in
      for plan in ["p0", "p1", "p2"] {
        try writer.execute(
          """
          INSERT INTO plan_eras (patient, plan, era, zone, kind, starts)
          VALUES ($1, $2, 1, 'Europe/Berlin', 'calendar', 0)
          """, [.text(AnswerWorld.patient), .text(plan)])
      }
      for (number, one) in drawn.enumerated() {
        let names = ["metoprolol", "ramipril", "tea", "metoprolol", "water"]
        let plan: SQLValue = one.plan < 3 ? .text("p\(one.plan)") : .null
        let isOfDose = one.plan < 3 && one.isOfDose
        try writer.execute(
          """
          INSERT INTO intakes (patient, administration, plan, era, occurrence, medicine_name,
            ingredients, taken, recorded, by_name)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 'Ann')
          """,
          [
            .text(AnswerWorld.patient), .text("a\(1_000 + number)"), plan,
            isOfDose ? .integer(1) : .null,
            isOfDose ? .text(OccurrenceID.running(Int64(number)).text) : .null,
            .text(names[one.plan]), .text("name:\(names[one.plan])"),
            SQLValue(Self.now.adding(milliseconds: one.minutes * AnswerWorld.minute)),
          ])
      }
    }
    return world
  }

  @Test(arguments: [(0, 1), (1, 2), (40, 3), (40, 4), (190, 5), (600, 6)] as [(Int, UInt64)])
  func `one read answers as several do`(_ intakes: Int, _ seed: UInt64) async throws {
    let world = try await world(intakes: intakes, seed: seed)
    try await world.database.read { reader in
      let patient = PatientSnapshot(
        of: AnswerWorld.patient, now: Self.now, zones: ZoneCatalog(), in: reader)
      let within = try IntakeQueries.latestWithinGap(of: patient)
      let expected = try IntakeQueries.latestWithinGap(
        before: Self.now, patient: AnswerWorld.patient, in: reader)
      #expect(within == expected)
      for (hours, most) in [(8, 10), (8, Int.max), (26, 3)] as [(Int64, Int)] {
        let from = Self.now.adding(milliseconds: -hours * AnswerWorld.hour)
        let until = Self.now.adding(milliseconds: 1)
        let once = try IntakeQueries.extras(of: patient, from: from, until: until, most: most)
        let each = try IntakeQueries.extras(
          patient: AnswerWorld.patient, from: from, until: until, most: min(most, 10_000),
          in: reader)
        #expect(once.intakes == each.intakes)
        #expect(once.count == each.count)
        #expect(once.reasons.isEmpty)
      }
      for (place, plan) in try patient.plans().enumerated() {
        for hours: Int64 in [1, 24, 48] {
          let medicine = Medicine(plan)
          let near = try patient.intakes(
            near: Self.now, of: medicine, within: hours * AnswerWorld.hour)
          let each = try IntakeQueries.near(
            patient: AnswerWorld.patient, plan: plan.plan,
            ingredients: Ingredient.contents(column: plan.ingredients), around: Self.now,
            within: hours * AnswerWorld.hour, excluding: nil, in: reader)
          #expect(near == each, "\(place), \(hours)")
        }
      }
    }
  }
}
