// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Knowledge
import Localization
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Dosing
@testable import People
@testable import Plans
@testable import Prescriptions

/// The shown name contains the strength once.
@Suite struct ShownNameTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var value = "47.5"
    var unit = "mg"
    let shown: String
    var testDescription: String { "\(name) \(value) \(unit)" }
  }

  @Test(arguments: [
    Case(name: "Metoprolol", shown: "Metoprolol 47.5 mg"),
    Case(name: "Metoprolol 47.5 mg", shown: "Metoprolol 47.5 mg"),
    Case(name: "Metoprolol 47,5 mg", shown: "Metoprolol 47,5 mg"),
    Case(name: "Metoprolol 50 mg", shown: "Metoprolol 50 mg 47.5 mg"),
    Case(name: "Vitamin B12", value: "12", unit: "microgram", shown: "Vitamin B12 12 microgram"),
    Case(name: "Vitamin B12", value: "12", unit: "ug", shown: "Vitamin B12 12 microgram"),
    Case(name: "Vigantol 20.000 I.E.", value: "20000", unit: "IU", shown: "Vigantol 20.000 I.E."),
    Case(name: "Amoxicillin", value: "50", unit: "mg/mL", shown: "Amoxicillin 50 mg/mL"),
    Case(name: "Hydrocortisone", value: "1", unit: "%", shown: "Hydrocortisone 1 %"),
    Case(name: "Entresto 97/103", value: "97", shown: "Entresto 97/103"),
  ])
  func `a strength that the name lacks`(_ given: Case) throws {
    var draft = PlanDraft.tablet(["08:00"], name: given.name)
    draft.strengthValue = given.value
    draft.strengthUnit = given.unit
    let request = MedicationRequestView(
      draft.medicationRequest(patient: "p", authoredOn: nil, zone: .utc, replacing: nil))
    #expect(ShownName.of(request, in: .en) == given.shown)
  }

  @Test(arguments: [
    ("Ibuprofen", "400", "mg", "Ibuprofen 400 mg"), ("Ibuprofen 400", "400", "mg", "Ibuprofen 400"),
    ("Digoxin", "62.5", "ug", "Digoxin 62,5 Mikrogramm"),
  ])
  func `a strength entered separately from the name`(
    name: String, value: String, unit: String, shown: String
  ) throws {
    let strength = try #require(Amount(value: value, unit: unit, code: nil))
    #expect(ShownName.of(name, strength: strength, in: .de) == shown)
  }

  @Test func `imported prescriptions: combinations, liquids and partial strengths`() {
    func name(_ ingredients: JSONValue) -> String {
      ShownName.of(
        MedicationRequestView([
          "resourceType": "MedicationRequest",
          "contained": [
            [
              "resourceType": "Medication", "id": "m", "code": ["text": "Mix"],
              "ingredient": ingredients,
            ]
          ],
          "medicationReference": ["reference": "#m"],
        ]), in: .de)
    }
    func ingredient(_ value: JSONValue, _ unit: String, of amount: JSONValue?, _ other: String)
      -> JSONValue
    {
      var strength: JSONValue = ["numerator": ["value": value, "unit": .string(unit)]]
      if let amount { strength["denominator"] = ["value": amount, "unit": .string(other)] }
      return ["strength": strength]
    }
    let half = JSONNumber(text: "2.5").map(JSONValue.number) ?? .null
    #expect(name([ingredient(half, "mg", of: 1, "tablet")]) == "Mix 2,5 mg")
    #expect(name([ingredient(250, "mg", of: 5, "mL")]) == "Mix 250 mg/5 ml")
    #expect(
      name([ingredient(97, "mg", of: nil, ""), ingredient(103, "mg", of: nil, "")])
        == "Mix 97/103 mg")
    #expect(
      name([ingredient(500, "mg", of: nil, ""), ingredient(8, "microgram", of: nil, "")])
        == "Mix 500 mg / 8 Mikrogramm")
    #expect(
      name([ingredient(97, "mg", of: nil, ""), ["itemCodeableConcept": ["text": "x"]]]) == "Mix")
    #expect(name([]) == "Mix")
  }

  /// Returns the names in the plan, in its doses and in the intake recorded for it.
  private func names(_ place: TestPlace, _ plan: Plan) async throws -> [String] {
    let dose = try #require(
      try await place.listing(
        from: "2026-03-01T07:00:00+01:00", until: "2026-03-01T09:00:00+01:00"
      ).doses.first)
    let (found, intakes) = try await place.database.read { reader in
      (
        try PlanQueries.plan(plan.id, patient: TestPlace.patient, in: reader),
        try IntakeQueries.recent(
          patient: TestPlace.patient, from: Timestamp(milliseconds: 0),
          until: Timestamp(milliseconds: .max), in: reader)
      )
    }
    return [found?.medicineName ?? "", dose.medicineName] + intakes.map(\.medicineName)
  }

  private func draft(_ name: String, _ strength: String) -> PlanDraft {
    var draft = PlanDraft.tablet(["08:00"], name: name)
    draft.strengthValue = strength
    draft.strengthUnit = "mg"
    return draft
  }

  @Test func `an interaction names the strengths of a stored medicine, a form and a request`()
    async throws
  {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let stored = try await place.add(draft("Metoprolol", "47.5"))
    let request = draft("Propranolol", "40").medicationRequest(
      patient: TestPlace.patient, authoredOn: nil, zone: .utc, replacing: nil)
    let sent = try #require(
      IncomingMedicine(id: "sent", request: MedicationRequestView(request), isChange: false))
    let form = IncomingMedicine(id: "form", draft: draft("Bisoprolol", "2.5"), isChange: false)
    let (actor, now, zone) = (
      place.context.actor, place.now, try place.zones.zone("Europe/Berlin")
    )
    let checks = try await place.database.read { reader in
      try MedicineChecker(
        list: .shipped, patient: TestPlace.patient, actor: actor, region: .uk, now: now, zone: zone
      ).check([form, sent], in: reader)
    }
    let checked = try #require(checks.first?.checked)
    #expect(
      [stored.id.text, "form", "sent"].map(checked.name)
        == ["Metoprolol 47.5 mg", "Bisoprolol 2.5 mg", "Propranolol 40 mg"])
  }

  @Test func `a schedule that is too frequent names the strength`() throws {
    let request = draft("Methotrexate", "2.5").medicationRequest(
      patient: TestPlace.patient, authoredOn: nil, zone: .utc, replacing: nil)
    let today = try #require(CivilDate(text: "2026-03-01"))
    let breach = try #require(
      FrequencyBreach.of(
        MedicationRequestView(request), zone: .utc, rhythm: .standard, today: today))
    #expect(breach.shownName(in: .en) == "Methotrexate 2.5 mg")
    #expect(breach.shownName(in: .nb) == "Methotrexate 2,5 mg")
  }

  @Test func `earlier plans are named once, and again after a language change`() async throws {
    let place = try await TestPlace(at: "2026-03-01T07:00:00+01:00")
    var draft = PlanDraft.tablet(["08:00"], name: "Metoprolol")
    draft.strengthValue = "47.5"
    draft.strengthUnit = "mg"
    let plan = try await place.add(draft)
    place.clock.set("2026-03-01T08:00:00+01:00")
    let context = place.context
    let administration = AdministrationRequest(
      patient: TestPlace.patient, medicine: plan.id.text, at: place.now, confirm: true)
    _ = try await place.database.write { writer in
      try IntakeCommands.record(administration, context: context, in: writer)
    }
    let english = Array(repeating: "Metoprolol 47.5 mg", count: 3)
    #expect(try await names(place, plan) == english)
    // Restores the state that an earlier version left.
    try await place.database.write { writer in
      try writer.execute("UPDATE plans SET shown_name = NULL", [])
      try writer.execute("UPDATE intakes SET medicine_name = 'Metoprolol'", [])
      try writer.execute("UPDATE plans SET status = 'completed'", [])
    }
    #expect(try await names(place, plan)[0] == "Metoprolol")
    try await place.database.write { writer in
      _ = try PlanRereading.readAgain(
        after: PlanRereading.Progress(), limit: 100, now: context.now, zones: context.zones,
        consequences: context.consequences, in: writer)
    }
    #expect(try await names(place, plan) == english)
    try await place.database.write { writer in
      try ShownNames.renew(
        of: TestPlace.patient, in: .nb, consequences: context.consequences, writer: writer)
    }
    #expect(
      try await names(place, plan) == Array(repeating: "Metoprolol 47,5 mg", count: 3))
  }
}
