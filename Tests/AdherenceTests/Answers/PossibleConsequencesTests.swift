// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import Dosing
@testable import Plans
@testable import Storage

@Suite struct PossibleConsequencesTests {
  /// Limits, with true if an intake may exceed them.
  static let limits: [(limits: PlanLimits, isLimiting: Bool)] = {
    var dose = PlanLimits()
    dose.dose = Amount(value: "1", unit: "tablet")
    var gap = dose
    gap.gap = 3_600_000
    var count = gap
    count.counts = [PlanLimits.Count(most: 4, milliseconds: 86_400_000)]
    var amount = PlanLimits()
    amount.amounts = [
      PlanLimits.Quantity(value: "4", unit: "g", code: "g", milliseconds: 86_400_000)
    ]
    var days = dose
    days.days = 10
    return [(dose, false), (gap, false), (count, true), (amount, true), (days, true)]
  }()

  @Test(arguments: limits)
  func `an answer checks limits only if one might be reached`(
    _ limits: PlanLimits, _ isLimiting: Bool
  ) async throws {
    #expect(limits.isLimiting == isLimiting)
    let place = try await TestPlace()
    let plan = try await place.add(.tablet(["08:00"]))
    let found = try await place.database.write { writer in
      let changed = try writer.execute(
        "UPDATE plan_limits SET limits = $1 WHERE patient = $2 AND plan = $3",
        [.text(limits.text), .text(TestPlace.patient), .text(plan.id)])
      #expect(changed == 1)
      return try EntryReading.read(
        "Bisoprolol", event: nil, patient: TestPlace.patient, in: writer)
    }
    let reading = try #require(found)
    let named = try #require(NamedMedicine.find("Bisoprolol", among: reading.plans))
    #expect(reading.possible(of: named).hasLimits == isLimiting)
    await place.database.close()
  }
}
