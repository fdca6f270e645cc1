// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans

@Suite("MedicationAdministration of an answer")
struct AdministrationResourceTests {
  static let medicine = Medicine(
    plan: "plan-1", name: "Metoprolol 50 mg",
    ingredients: "name:metoprolol 50 mg\ncode:http://www.whocc.no/atc|C07AB02\ncode:|own")

  private func resource(
    _ action: AnswerAction, reason: String? = nil, amount: Amount? = nil,
    medicine: Medicine = medicine, zone: String? = "Europe/Berlin"
  ) async throws -> JSONValue {
    let world = try await AnswerWorld()
    return AdministrationResource.make(
      .init(action: action, effective: AnswerWorld.eight, reason: reason, amount: amount),
      of: medicine, patient: AnswerWorld.patient, zone: zone, context: world.context())
  }

  @Test(arguments: [AnswerAction.taken, .skipped, .refused], [nil, "ill", "苦い \"x\""])
  func itIsValidInR4(action: AnswerAction, reason: String?) async throws {
    let amount = Amount(value: "1.50", unit: "tablet")
    for medicine in [Self.medicine, Medicine(plan: nil, name: "Tea", ingredients: "name:tea")] {
      let json = try await resource(action, reason: reason, amount: amount, medicine: medicine)
      let errors = ResourceValidator.issues(in: json, expecting: .medicationAdministration)
        .filter { $0.severity != .information }
      #expect(errors.isEmpty, "\(errors)")
      let undone = AdministrationResource.takeBack(json)
      #expect(undone["status"] == "entered-in-error")
      #expect(
        ResourceValidator.issues(in: undone, expecting: .medicationAdministration)
          .allSatisfy { $0.severity == .information })
    }
  }

  @Test func itHoldsWhatWasTakenWhenAndBySomeone() async throws {
    let json = try await resource(.taken, amount: Amount(value: "1.50", unit: "tablet"))
    #expect(json["status"] == "completed")
    #expect(json["statusReason"] == nil)
    #expect(json["effectiveDateTime"] == "2026-03-02T08:00:00+01:00")
    #expect(json["subject"]?["reference"] == "Patient/anna")
    #expect(json["request"]?["reference"] == "MedicationRequest/plan-1")
    #expect(json["performer"]?[0]?["actor"]?["reference"] == "Patient/anna")
    #expect(json["performer"]?[0]?["actor"]?["display"] == "Ann")
    let concept = json["medicationCodeableConcept"]
    #expect(concept?["text"] == "Metoprolol 50 mg")
    #expect(concept?["coding"]?[0] == ["system": "http://www.whocc.no/atc", "code": "C07AB02"])
    #expect(concept?["coding"]?[1] == ["code": "own"])
    let dose = json["dosage"]?["dose"]
    #expect(dose?["value"]?.number?.text == "1.50")
    #expect(dose?["unit"] == "tablet")
    #expect(dose?["code"] == "{tablet}")
  }

  @Test func theReasonOfWhatWasTakenIsKept() async throws {
    let taken = try await resource(.taken, reason: "before the flight")
    #expect(taken["reasonCode"] == [["text": "before the flight"]])
    #expect(taken["statusReason"] == nil)
    let skipped = try await resource(.skipped, reason: "asleep")
    #expect(skipped["reasonCode"] == nil)
  }

  @Test func anUnknownUnitHasNoCode() async throws {
    let json = try await resource(
      .taken, amount: Amount(value: "2", unit: "thimbles", code: "THIMBLE"))
    #expect(json["dosage"]?["dose"] == ["value": 2, "unit": "thimbles"])
  }

  @Test func skippedAndRefusedDifferInTheirReason() async throws {
    let skipped = try await resource(.skipped, reason: "asleep")
    let refused = try await resource(.refused)
    #expect(skipped["status"] == "not-done" && refused["status"] == "not-done")
    #expect(skipped["statusReason"]?[0]?["coding"]?[0]?["code"] == "skipped")
    #expect(skipped["statusReason"]?[0]?["text"] == "asleep")
    #expect(refused["statusReason"]?[0]?["coding"]?[0]?["code"] == "refused")
    #expect(refused["statusReason"]?[0]?["text"] == nil)
    #expect(skipped["dosage"] == nil)
  }

  @Test func withoutAKnownZoneTheTimeIsInUTC() async throws {
    for zone in [nil, "Nowhere/Else"] {
      let json = try await resource(.taken, zone: zone)
      #expect(
        json["effectiveDateTime"]?.string.flatMap(FHIRDateTime.init)?.epochMilliseconds
          == AnswerWorld.eight.milliseconds)
    }
  }

  @Test func aCorrectionKeepsWhatElseIsThere() async throws {
    var json = try await resource(.skipped, reason: "asleep")
    json["note"] = [["text": "kept"]]
    let world = try await AnswerWorld()
    let corrected = AdministrationResource.correct(
      json,
      to: .init(
        action: .taken, effective: AnswerWorld.eight, reason: nil,
        amount: Amount(value: "1", unit: "tablet")),
      patient: AnswerWorld.patient, zone: "Europe/Berlin",
      context: world.context(actor: .guardian))
    #expect(corrected["status"] == "completed")
    #expect(corrected["statusReason"] == nil)
    #expect(corrected["note"] == [["text": "kept"]])
    #expect(corrected["performer"]?[0]?["actor"] == ["display": "Ann"])
    #expect(
      ResourceValidator.issues(in: corrected, expecting: .medicationAdministration)
        .allSatisfy { $0.severity == .information })
  }
}
