// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Testing

@Suite struct ViewTests {
  @Test func patient() throws {
    let patient = PatientView(try JSONValue(parsing: Fixtures.patient))
    #expect(patient.id == "p-1")
    #expect(patient.givenNames == ["Kari"])
    #expect(patient.displayName == "Kari Ødegård")
    #expect(patient.birthDate == "1948-07")
    #expect(patient.telecom.map(\.system) == ["phone", "email"])
    #expect(patient.language == "nb")
    #expect(patient.timeZoneIdentifier == "Europe/Oslo")
  }

  @Test func medicationRequest() throws {
    let request = MedicationRequestView(try JSONValue(parsing: Fixtures.request))
    #expect(request.status == "active")
    #expect(request.intent == "plan")
    #expect(request.medicationName == "Bisoprolol 2.5 mg")
    #expect(request.medicationCodes.map(\.code) == ["C07AB07"])
    #expect(request.subjectReference == "Patient/p-1")
    #expect(!request.doNotPerform)
    #expect(!request.hasUnknownModifier)
    #expect(request.noteText == "With water")
    let dosage = try #require(request.dosages.first)
    #expect(dosage.sequence == 1)
    #expect(dosage.asNeeded)
    #expect(dosage.asNeededReason == "pain")
    #expect(dosage.doseQuantity?.valueText == "72.10")
    #expect(dosage.doseQuantity?.value == Decimal(string: "72.1"))
    let timing = try #require(dosage.timing)
    #expect(timing.events == ["2026-03-01T08:00:00.125+01:00"])
    #expect(timing.period == 1)
    #expect(timing.offset == 30)
    #expect(timing.when == ["ACM"])
    #expect(timing.boundsPeriodEnd == "2026-03-31")
    #expect(!timing.hasBoundsDuration && !timing.hasBoundsRange && !timing.hasExtensions)
    #expect(timing.presentRepeatElements.contains("dayOfWeek"))
  }

  @Test(arguments: [
    #"{"modifierExtension":[]}"#, #"{"implicitRules":"http://x"}"#, #"{"_implicitRules":{}}"#,
    #"{"dosageInstruction":[{"timing":{"modifierExtension":[{"url":"x"}]}}]}"#,
  ])
  func findsModifiersAnywhere(_ text: String) throws {
    #expect(MedicationRequestView(try JSONValue(parsing: text)).hasUnknownModifier)
  }

  @Test(arguments: [
    (
      #"{"medicationReference":{"display":"A"},"medicationCodeableConcept":{"text":"B"}}"#,
      "A" as String?
    ),
    (#"{"medicationCodeableConcept":{"text":"B","coding":[{"display":"C"}]}}"#, "B"),
    (#"{"medicationCodeableConcept":{"coding":[{"code":"x"},{"display":"C"}]}}"#, "C"),
    (##"{"medicationReference":{"reference":"#gone"}}"##, nil), ("[]", nil),
  ])
  func medicineNames(_ text: String, _ name: String?) throws {
    #expect(MedicationRequestView(try JSONValue(parsing: text)).medicationName == name)
  }

  @Test func medicationAdministration() throws {
    let view = MedicationAdministrationView(try JSONValue(parsing: Fixtures.administration))
    #expect(view.status == "not-done")
    #expect(view.statusReasonText == "Nausea")
    #expect(view.requestReference == "MedicationRequest/m1/_history/2")
    #expect(view.effective?.text == "2026-03-01T08:00:00Z")
    #expect(view.medicationName == "Metformin")
    #expect(view.doseQuantity?.valueText == "0.5")
  }

  @Test func outcomeListsItsFindings() {
    let json = OperationOutcomeBuilder.json([
      FHIRIssue(code: .notFound, expression: "Patient.name[0]", diagnostics: "Gone.")
    ])
    #expect(
      json.text
        == #"{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"not-found","#
        + #""diagnostics":"Gone.","expression":["Patient.name[0]"]}]}"#)
    #expect(OperationOutcomeBuilder.json([])["issue"]?.array?.count == 1)
  }
}
