// SPDX-License-Identifier: Apache-2.0
import FHIR
import Foundation
import Identifiers
import People
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

/// Amounts that look like a typing error.
@Suite struct AmountFindingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var strength: (String, String)?
    var form: MedicineForm?
    let amount: (String, String)
    var kind: AmountFinding.Kind?
    var testDescription: String { "\(name) \(amount)" }
  }

  static let cases: [Case] = [
    // The amount that was once accepted.
    Case(
      name: "goserelin implant", strength: ("3.6", "mg"), form: .injection,
      amount: ("1", "microgram"), kind: .strength),
    Case(
      name: "goserelin 3.6 mg implant", form: .injection, amount: ("1", "microgram"),
      kind: .strength),
    Case(name: "goserelin 3.6 mg implant", form: .injection, amount: ("1", "injection")),
    Case(name: "goserelin 3.6 mg implant", form: .injection, amount: ("3.6", "milligram")),
    // Ten times too much, ten times too little, and a thousand times because of the unit.
    Case(name: "Levothyroxine", amount: ("1000", "microgram"), kind: .known),
    Case(name: "Levothyroxine", amount: ("100", "milligram"), kind: .known),
    Case(name: "Levothyroxine", amount: ("100", "microgram")),
    Case(
      name: "Digoxin", strength: ("25", "mg"), form: .tablet, amount: ("1", "tablet"), kind: .known),
    Case(
      name: "Digoxin", strength: ("0.25", "mg"), form: .tablet, amount: ("1", "tablet")),
    Case(name: "Metoprolol 50 mg", form: .tablet, amount: ("0.5", "tablet")),
    Case(name: "Prednisolone 5 mg", form: .tablet, amount: ("6", "tablet")),
    // Pieces and units.
    Case(name: "Unknownium", form: .tablet, amount: ("100", "tablet"), kind: .count),
    Case(name: "Unknownium", form: .tablet, amount: ("0.01", "tablet"), kind: .count),
    Case(name: "Unknownium", form: .tablet, amount: ("5", "milliliter"), kind: .unit),
    Case(name: "Unknownium", form: .patch, amount: ("1", "drop"), kind: .unit),
    Case(name: "Unknownium", form: .liquid, amount: ("1000", "milliliter"), kind: .count),
    Case(name: "Unknownium", form: .liquid, amount: ("5", "milliliter")),
    Case(name: "Unknownium", form: .other, amount: ("5", "milliliter")),
    // The volume counts for a concentration.
    Case(name: "Morphine 20 mg/0 mL", form: .liquid, amount: ("5", "milliliter")),
    Case(
      name: "Morphine", strength: ("2", "mg/mL"), form: .liquid, amount: ("5", "milliliter")),
    Case(
      name: "Morphine", strength: ("20", "mg/mL"), form: .liquid, amount: ("50", "milliliter"),
      kind: .known),
    // Insulin is counted in units, or a volume by its strength or the usual one.
    Case(name: "Insulin glargine", form: .injection, amount: ("20", "unit")),
    Case(name: "Insulin glargine", form: .injection, amount: ("200", "unit"), kind: .count),
    Case(name: "İNSÜLİN aspart", form: .injection, amount: ("1000", "unit"), kind: .count),
    Case(name: "อินซูลินกลาร์จีน", form: .injection, amount: ("1000", "unit"), kind: .count),
    Case(
      name: "Tresiba 200 units/mL", form: .injection, amount: ("1", "milliliter"), kind: .count),
    Case(name: "Tresiba 200 units/mL", form: .injection, amount: ("0.2", "milliliter")),
    Case(name: "Lantus", form: .injection, amount: ("20", "milliliter"), kind: .count),
    Case(name: "Heparin", form: .injection, amount: ("5000", "unit")),
    // More than the daily maximum in the dose tables.
    Case(name: "Paracetamol 500 mg", form: .tablet, amount: ("9", "tablet"), kind: .maximum),
    Case(name: "Paracetamol 500 mg", form: .tablet, amount: ("2", "tablet")),
    // Two strengths in a name do not tell the strength of one ingredient.
    Case(name: "Norgesic 35 mg/450 mg", form: .tablet, amount: ("2", "tablet")),
  ]

  @Test(arguments: cases)
  func `an amount off by an order of magnitude asks for confirmation`(one: Case) {
    var draft = PlanDraft.tablet(["08:00"], name: one.name, dose: one.amount.0)
    draft.form = one.form
    draft.strengthValue = one.strength?.0
    draft.strengthUnit = one.strength?.1
    draft.doseUnit = one.amount.1
    let request = draft.medicationRequest(
      patient: "ann", authoredOn: nil, zone: .utc, replacing: nil)
    #expect(
      AmountFinding.all(in: MedicationRequestView(request)).map(\.kind)
        == [one.kind].compactMap(\.self))
  }

  /// The sum of a day against 4000 mg of paracetamol, the most in the dose tables.
  @Test(
    arguments: [
      (4, "2", []), (5, "2", [.day]), (8, "1", []), (9, "1", [.day]), (1, "9", [.maximum]),
      (2, "9", [.maximum, .day]), (1, "8", []),
    ] as [(Int, String, [AmountFinding.Kind])])
  func `the doses of a day together are compared with its maximum`(
    times: Int, tablets: String, kinds: [AmountFinding.Kind]
  ) {
    var draft = PlanDraft.tablet(
      (0..<times).map { "\(10 + $0):00" }, name: "Paracetamol 500 mg", dose: tablets)
    draft.form = .tablet
    let request = draft.medicationRequest(
      patient: "ann", authoredOn: nil, zone: .utc, replacing: nil)
    let found = AmountFinding.all(in: MedicationRequestView(request))
    #expect(found.map(\.kind) == kinds)
    if let day = found.first(where: { $0.kind == .day }) {
      #expect(day.amount.value == "\(times * (Int(tablets) ?? 0) * 500)")
      #expect(day.amount.unit == "mg" && day.most == Decimal(4_000))
    }
  }

  @Test func `only the doses of one day are added up`() {
    var draft = PlanDraft.tablet(
      ["08:00", "20:00"], name: "Paracetamol 500 mg", dose: "4", weekdays: [.monday, .tuesday])
    draft.form = .tablet
    let request = draft.medicationRequest(
      patient: "ann", authoredOn: nil, zone: .utc, replacing: nil)
    #expect(AmountFinding.all(in: MedicationRequestView(request)).isEmpty)
  }

  @Test func `confirming a day's total covers only that number`() async throws {
    let place = try await TestPlace()
    let times = ["06:00", "10:00", "14:00", "18:00", "22:00"]
    var draft = PlanDraft.tablet(times, name: "Paracetamol 500 mg", dose: "2")
    func questions(_ plan: PlanID?) async throws -> [PlanQuestion] {
      let draft = draft
      return try await place.database.read { reader in
        try PlanQuestion.all(
          draft, plan: plan, patient: TestPlace.patient, zone: .utc, rhythm: .standard,
          today: CivilDate(text: "2026-03-01") ?? .earliest, in: reader)
      }
    }
    let asked = try await questions(nil)
    #expect(asked.map(\.key) == ["amount-day-5000-mg"])
    draft.confirmations = asked.map { $0.confirmed(by: "yes") }
    let plan = try await place.add(draft)
    #expect(try await questions(plan.id).isEmpty)
    draft.doseValue = "3"
    #expect(try await questions(plan.id).map(\.key) == ["amount-day-7500-mg"])
  }

  @Test func `a confirmed amount is not asked about again, another one is`() async throws {
    let place = try await TestPlace()
    var draft = PlanDraft.tablet(["08:00"], name: "Unknownium", dose: "30")
    func questions(_ plan: PlanID?) async throws -> [PlanQuestion] {
      let draft = draft
      return try await place.database.read { reader in
        try PlanQuestion.all(
          draft, plan: plan, patient: TestPlace.patient, zone: .utc, rhythm: .standard,
          today: CivilDate(text: "2026-03-01") ?? .earliest, in: reader)
      }
    }
    let asked = try await questions(nil)
    #expect(asked.count == 1)
    draft.confirmations = asked.map { $0.confirmed(by: "yes") }
    let plan = try await place.add(draft)
    #expect(try await questions(plan.id).isEmpty)
    draft.doseValue = "300"
    #expect(try await questions(plan.id).count == 1)
  }
}
