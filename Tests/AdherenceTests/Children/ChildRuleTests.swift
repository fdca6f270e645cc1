// SPDX-License-Identifier: Apache-2.0

import Foundation
import Scheduling
import Testing

@testable import Plans
@testable import Prescriptions

/// Ages, weights and the content of a dose.
@Suite struct ChildRuleTests {
  @Test(arguments: [
    ("2022-05-01", "2026-03-01", 46), ("2022-05-01", "2022-05-31", 0),
    ("2022-05-01", "2022-06-01", 1),
    ("2024-02-29", "2025-02-28", 11), ("2024-02-29", "2025-03-01", 12),
    ("2025-12-31", "2026-01-01", 0),
    ("2026-01-31", "2026-02-28", 0), ("2026-01-31", "2026-03-01", 1),
    ("2008-03-01", "2026-03-01", 216),
    ("2026-03-02", "2026-03-01", -1),
  ])
  func monthsAreFullOnes(born: String, today: String, months: Int) throws {
    let first = try #require(CivilDate(text: born))
    let last = try #require(CivilDate(text: today))
    #expect(ChildAge.months(from: first, to: last) == months)
  }

  @Test(
    arguments: [
      (36, 15_000, nil, nil), (36, 45_000, nil, "high"), (36, 7_900, nil, "low"),
      (36, 40_000, nil, nil), (36, 40_001, nil, "high"), (0, 3_400, nil, nil), (0, 399, nil, "low"),
      (60, 18_000, 15_000, nil), (60, 18_001, 15_000, "jump"), (60, 12_000, 15_000, nil),
      (60, 11_999, 15_000, "jump"), (215, 60_000, 59_000, nil),
    ] as [(Int, Int, Int?, String?)])
  func aStrangeWeightIsAskedAbout(months: Int, grams: Int, before: Int?, doubt: String?) {
    #expect(ChildWeight.doubt(grams: grams, ageInMonths: months, before: before)?.rawValue == doubt)
  }

  @Test func aWeightHoldsAMonthForTheSmallestAndThreeForTheOthers() {
    #expect(ChildWeight.monthsValid(ageInMonths: 23) == 1)
    #expect(ChildWeight.monthsValid(ageInMonths: 24) == 3)
  }

  private func strength(_ value: String, _ unit: String, per: String = "1", _ of: String = "dose")
    -> PlanLimits.Strength
  {
    PlanLimits.Strength(
      value: value, unit: unit, code: nil, perValue: per, perUnit: of,
      perCode: of == "dose" ? "{dose}" : nil)
  }

  @Test(
    arguments: [
      ("5", "milliliter", "24", "mg/mL", "120"), ("7.5", "mL", "50", "mg/mL", "375"),
      ("1", "tablet", "500", "mg", "500"), ("0.5", "tablet", "500", "mg", "250"),
      ("250", "milligram", "24", "mg/mL", "250"), ("1", "gram", "24", "mg/mL", "1000"),
      ("5", "milliliter", "120", "mg", nil), ("2", "spoonful", "24", "mg/mL", nil),
      ("1", "tablet", "5", "IU", nil),
    ] as [(String, String, String, String, String?)])
  func aDoseHoldsWhatTheStrengthSays(
    amount: String, unit: String, strength value: String, of: String, milligrams: String?
  ) {
    let found = GivenDoses.milligrams(
      of: Amount(stored: amount, unit: unit, code: nil), strength: strength(value, of))
    #expect(found == milligrams.flatMap { Decimal(string: $0) })
  }

  @Test func aStrengthOfAServerIsReadToo() {
    let found = GivenDoses.milligrams(
      of: Amount(stored: "10", unit: "mL", code: "mL"),
      strength: strength("120", "mg", per: "5", "mL"))
    #expect(found == 240)
  }
}
