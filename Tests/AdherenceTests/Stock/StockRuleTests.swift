// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Supply

/// The pure rules of a supply: units, days, and the choice of packs.
@Suite struct StockRuleTests {
  static func date(_ text: String) throws -> CivilDate { try #require(CivilDate(text: text)) }

  static func limits(_ strength: PlanLimits.Strength?) -> PlanLimits {
    var limits = PlanLimits()
    limits.strength = strength
    return limits
  }

  static let hundred = PlanLimits.Strength(
    value: "100", unit: "mg", code: nil, perValue: "1", perUnit: "tablet", perCode: nil)
  static let syrup = PlanLimits.Strength(
    value: "120", unit: "mg", code: nil, perValue: "5", perUnit: "mL", perCode: nil)

  /// Amount, unit of the supply, its strength in mg, the plan's strength, the expected quantity.
  static let conversions: [(String, String, String, String?, PlanLimits.Strength?, String?)] = [
    ("1.50", "tablet", "tablet", nil, nil, "1.5"),
    ("2", "tablet", "{tbl}", nil, hundred, "2"),
    ("5", "mL", "mL", nil, nil, "5"),
    ("0.25", "L", "mL", nil, nil, "250"),
    ("200", "mg", "tablet", nil, hundred, "2"),
    ("200", "mg", "tablet", "50", nil, "4"),
    ("0.1", "g", "tablet", "50", hundred, "2"),
    // The plan's tablets contain twice as much as those in the supply.
    ("1", "tablet", "tablet", "50", hundred, "2"),
    ("1", "tablet", "tablet", "100", hundred, "1"),
    ("60", "mg", "mL", nil, syrup, "2.5"),
    // A third of a tablet is not an exact number.
    ("100", "mg", "tablet", "300", nil, nil),
    ("100", "mg", "tablet", nil, nil, nil),
    ("1", "spoonful", "mL", nil, nil, nil),
    ("1", "dose", "tablet", nil, nil, nil),
  ]

  @Test(arguments: conversions)
  func `an amount is subtracted only if it is certain`(
    value: String, given: String, unit: String, strength: String?, plan: PlanLimits.Strength?,
    expected: String?
  ) throws {
    let stock = StockUnit(
      unit: unit, strength: strength.flatMap { Amount(value: $0, unit: "mg") })
    let amount = try #require(Amount(value: value, unit: given))
    #expect(stock.quantity(of: amount, of: Self.limits(plan))?.text == expected)
  }

  @Test(arguments: ["0.5", "12", "0.000001", "1000000000", "3.25"])
  func `numbers are kept exactly`(text: String) {
    #expect(StockQuantity(text: text)?.text == text)
  }

  @Test func `numbers that cannot be kept exactly are refused`() {
    #expect(StockQuantity(text: "0.0000001") == nil)
    #expect(StockQuantity(text: "0") == nil)
    #expect(StockQuantity(text: "-1") == nil)
    #expect(StockQuantity(millionths: -500_000).text == "-0.5")
  }

  /// Form, printed day, opening day, days on the label, the last day.
  static let days: [(StockForm, String?, String?, Int?, String?)] = [
    (.other, nil, nil, nil, nil),
    (.blister, "2026-12-31", "2026-03-01", nil, "2026-12-31"),
    (.other, "2026-12-31", "2026-03-01", 14, "2026-03-15"),
    (.madeUp, nil, "2026-03-01", nil, nil),
    (.eyeEarDrops, "2027-12-31", "2026-03-01", nil, "2026-03-29"),
    (.eyeEarDrops, "2027-12-31", nil, nil, "2027-12-31"),
    (.insulin, nil, "2026-03-01", nil, "2026-03-29"),
    (.eyeOintment, nil, "2026-03-01", nil, "2026-04-01"),
    (.cream, "2026-05-31", "2026-03-01", nil, "2026-05-31"),
    (.cream, "2027-05-31", "2026-03-01", nil, "2026-09-01"),
    (.loose, nil, "2026-03-01", nil, "2026-09-01"),
    (.liquid, "2030-03-01", "2026-03-01", nil, "2026-09-01"),
    // A quarter of the hundred days that are left.
    (.liquid, "2026-06-09", "2026-03-01", nil, "2026-03-26"),
  ]

  @Test(arguments: days)
  func `a pack expires on the earliest of its dates`(
    form: StockForm, expires: String?, opened: String?, openDays: Int?, expected: String?
  ) throws {
    let lot = StockLot(
      id: "a", number: 1, size: .zero, expires: expires.flatMap { CivilDate(text: $0) },
      opened: opened.flatMap { CivilDate(text: $0) }, form: form, openDays: openDays, left: .zero)
    #expect(lot.lastDay?.text == expected)
  }

  static func lot(
    _ id: String, _ left: Int64, _ expires: String? = nil, number: Int64 = 1, kept: Bool = false,
    void: Bool = false
  ) -> StockLot {
    StockLot(
      id: LotID(id), number: number, size: .zero, expires: expires.flatMap { CivilDate(text: $0) },
      isKept: kept, isVoid: void, left: StockQuantity(millionths: left))
  }

  static func text(_ changes: [StockChange]) -> String {
    changes.map { "\($0.lot):\($0.amount.millionths)" }.joined(separator: " ")
  }

  @Test func `the pack that expires first is used first, expired ones only if asked`() throws {
    let today = try Self.date("2026-03-02")
    let lots = [
      Self.lot("old", 5, "2026-03-01"), Self.lot("none", 5), Self.lot("late", 5, "2027-01-01"),
      Self.lot("soon", 5, "2026-03-02"),
    ]
    func drawn(_ amount: Int64, _ lots: [StockLot]) -> String {
      Self.text(
        StockDrawing.draw(StockQuantity(millionths: amount), from: lots, on: today))
    }
    #expect(drawn(3, lots) == "soon:-3")
    #expect(drawn(12, lots) == "soon:-5 late:-5 none:-2")
    #expect(drawn(17, lots) == "soon:-5 late:-5 none:-5 :-2")
    #expect(drawn(3, [Self.lot("old", 5, "2026-03-01")]) == ":-3")
    #expect(drawn(3, [Self.lot("old", 5, "2026-03-01", kept: true)]) == "old:-3")
    #expect(drawn(3, [Self.lot("by mistake", 5, void: true)]) == ":-3")
  }

  @Test func `unassigned stock changes are settled against the packs`() throws {
    let today = try Self.date("2026-03-02")
    func settled(_ lots: [StockLot], _ loose: Int64) -> String {
      Self.text(
        StockDrawing.settle(lots, loose: StockQuantity(millionths: loose), on: today))
    }
    #expect(settled([Self.lot("a", 5)], 0) == "")
    #expect(settled([Self.lot("a", 5)], -3) == "a:-3 :3")
    #expect(settled([Self.lot("a", 5)], -8) == "a:-5 :5")
    #expect(settled([Self.lot("a", 5, "2026-03-01")], -3) == "")
    #expect(settled([Self.lot("a", 0)], 3) == "a:3 :-3")
    #expect(settled([], 3) == "")
    #expect(settled([Self.lot("a", 5), Self.lot("b", -1, void: true)], 0) == "b:1 a:-1")
    #expect(settled([Self.lot("b", -1, void: true)], 0) == "b:1 :-1")
    #expect(settled([Self.lot("a", 5), Self.lot("b", 2, void: true)], -2) == "b:-2 :2")
  }

  @Test func `expired packs don't count`() throws {
    let now = Timestamp(milliseconds: 1_772_434_800_000)
    func demands(_ count: Int) -> [StockDemand] {
      (0..<count).map { day in
        StockDemand(
          at: now.adding(milliseconds: Int64(day) * 86_400_000),
          amount: StockQuantity(millionths: 1))
      }
    }
    func day(_ lots: [StockLot], loose: Int64 = 0) -> Int64? {
      var simulation = StockSimulation(
        lots: lots, loose: StockQuantity(millionths: loose), now: now, zone: .utc)
      simulation.follow(demands(30))
      return simulation.runsOut.map { ($0.milliseconds - now.milliseconds) / 86_400_000 }
    }
    #expect(day([Self.lot("a", 10)]) == 10)
    #expect(day([Self.lot("a", 10)], loose: -4) == 6)
    #expect(day([Self.lot("a", 10)], loose: 4) == 14)
    // Four days are left of the first: six tablets are wasted.
    #expect(day([Self.lot("a", 10, "2026-03-05"), Self.lot("b", 10)]) == 14)
    #expect(day([Self.lot("a", 10, "2026-03-05", kept: true), Self.lot("b", 10)]) == 20)
    #expect(day([Self.lot("a", 40)]) == nil)
  }
}
