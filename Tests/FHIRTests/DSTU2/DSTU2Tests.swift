// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@Suite struct DSTU2Tests {
  static let order = """
    {"resourceType":"MedicationOrder","id":"o1","identifier":[{"system":"urn:x","value":"1"}],
     "contained":[{"resourceType":"Medication","id":"med","isBrand":true,"code":{"text":"Oxycodone"},
       "product":{"form":{"text":"tablet"},"ingredient":[{"item":{"reference":"#med"},"amount":
       {"numerator":{"value":5,"unit":"mg"},"denominator":{"value":1}}}],"batch":[{"lotNumber":"1"},{"lotNumber":"2"}]},
       "package":{"container":{"text":"box"}}}],
     "dateWritten":"2016-06-03","status":"active","patient":{"reference":"Patient/1"},
     "prescriber":{"reference":"Practitioner/2"},"reasonCodeableConcept":{"text":"pain"},"note":"with food",
     "medicationReference":{"reference":"#med"},"priorPrescription":{"reference":"MedicationOrder/0"},
     "dosageInstruction":[{"text":"two a day","additionalInstructions":{"text":"drowsy"},
       "timing":{"repeat":{"boundsQuantity":{"value":5,"system":"http://unitsofmeasure.org","code":"d"},"frequency":2,"period":1,"periodUnits":"d","when":"ACM"},
       "code":{"text":"BID"}},"siteReference":{"reference":"BodySite/1"},
       "doseQuantity":{"value":1.50,"unit":"tablet"},"rateRatio":{"numerator":{"value":1},"denominator":{"value":2}}}],
     "dispenseRequest":{"medicationCodeableConcept":{"text":"x"},"numberOfRepeatsAllowed":3},
     "substitution":{"type":{"text":"generic"},"reason":{"text":"cheap"}},"eventHistory":[{"status":"active"}]}
    """

  @Test(arguments: [
    (#"{"allowed":true}"#, true), (#"{"allowed":false,"reason":{"text":"x"}}"#, true),
    (#"{"allowed":true,"type":{"text":"generic"}}"#, false),
    (#"{"type":{"text":"generic"},"allowed":true}"#, false),
  ])
  func `substitution is stated once`(text: String, isBoolean: Bool) throws {
    let substitution = try JSONValue(parsing: text)
    let request = DSTU2.r4([
      "resourceType": "MedicationOrder", "status": "active",
      "patient": ["reference": "Patient/1"], "medicationCodeableConcept": ["text": "x"],
      "substitution": substitution,
    ]).resource
    #expect(ResourceValidator.issues(in: request, expecting: .medicationRequest) == [])
    let read = request["substitution"]
    #expect(read?["allowedBoolean"] == (isBoolean ? substitution["allowed"] : nil))
    #expect((read?["allowedCodeableConcept"] != nil) == !isBoolean)
  }

  @Test func `an order becomes a valid request with the same meaning`() throws {
    let original = try JSONValue(parsing: Self.order)
    #expect(DSTU2.isWritten(original))
    let conversion = DSTU2.r4(original)
    let request = conversion.resource
    #expect(ResourceValidator.issues(in: request, expecting: .medicationRequest) == [])
    let view = MedicationRequestView(request)
    #expect(view.status == "active")
    #expect(view.intent == "order")
    #expect(view.authoredOn == "2016-06-03")
    #expect(view.subjectReference == "Patient/1")
    #expect(view.requesterReference == "Practitioner/2")
    #expect(view.medicationName == "Oxycodone")
    #expect(view.noteText == "with food")
    #expect(view.priorPrescriptionReference == "MedicationRequest/0")
    let dosage = try #require(view.dosages.first)
    #expect(dosage.additionalInstructions == ["drowsy"])
    #expect(dosage.timing?.periodUnit == "d")
    #expect(dosage.timing?.when == ["ACM"])
    #expect(dosage.timing?.boundsDuration?.valueText == "5")
    #expect(dosage.doseQuantity?.valueText == "1.50")
    #expect(request["dosageInstruction"]?[0]?["doseAndRate"]?[0]?["rateRatio"] != nil)
    #expect(request["substitution"]?["allowedCodeableConcept"]?["text"]?.string == "generic")
    let medication = try #require(view.medication.contained)
    #expect(medication["ingredient"]?[0]?["strength"] != nil)
    #expect(medication["batch"]?["lotNumber"]?.string == "1")
    #expect(
      conversion.notes.map(\.element) == [
        "MedicationOrder.contained[0].isBrand",
        "MedicationOrder.contained[0].product.batch[1]",
        "MedicationOrder.contained[0].package",
        "MedicationOrder.dosageInstruction[0].siteReference",
        "MedicationOrder.dispenseRequest.medicationCodeableConcept",
        "MedicationOrder.eventHistory",
      ])
  }

  @Test(arguments: [
    (#""status":"active","dateEnded":"2017-11-15""#, "stopped"),
    (#""dateEnded":"2017-11-15","status":"active","reasonEnded":{"text":"rash"}"#, "stopped"),
    (#""status":"on-hold""#, "on-hold"),
    (#""note":"no status""#, "unknown"),
  ])
  func `the status of an order says when it ended`(elements: String, status: String) throws {
    let order = try JSONValue(
      parsing:
        #"{"resourceType":"MedicationOrder",\#(elements),"patient":{"reference":"Patient/1"},"medicationCodeableConcept":{"text":"x"}}"#
    )
    let conversion = DSTU2.r4(order)
    #expect(conversion.resource["status"]?.string == status)
    #expect(conversion.resource["intent"]?.string == "order")
    #expect(conversion.notes.contains { $0.fate == .endedByDate } == (status == "stopped"))
    #expect(ResourceValidator.issues(in: conversion.resource, expecting: .medicationRequest) == [])
  }

  @Test(arguments: [
    (#""status":"completed","wasNotGiven":true,"reasonNotGiven":[{"text":"vomited"}]"#, "not-done"),
    (#""wasNotGiven":true,"status":"completed""#, "not-done"),
    (#""wasNotGiven":false,"status":"completed""#, "completed"),
    (#""wasNotGiven":true,"status":"entered-in-error""#, "entered-in-error"),
    (#""status":"entered-in-error","wasNotGiven":true"#, "entered-in-error"),
  ])
  func `an administration says whether it was given`(elements: String, status: String) throws {
    let administration = try JSONValue(
      parsing: """
        {"resourceType":"MedicationAdministration",\(elements),"patient":{"reference":"Patient/1"},
        "practitioner":{"reference":"Practitioner/1"},"prescription":{"reference":"MedicationOrder/9"},
        "effectiveTimeDateTime":"2015-01-15T14:30:00+01:00","medicationCodeableConcept":{"text":"x"},
        "dosage":{"quantity":{"value":3,"unit":"mg"},"siteCodeableConcept":{"text":"arm"}},"note":"fine"}
        """)
    #expect(DSTU2.isWritten(administration))
    let resource = DSTU2.r4(administration).resource
    #expect(
      ResourceValidator.issues(in: resource, expecting: .medicationAdministration) == [])
    let view = MedicationAdministrationView(resource)
    #expect(view.status == status)
    #expect(view.requestReference == "MedicationRequest/9")
    #expect(view.subjectReference == "Patient/1")
    #expect(view.performerReferences == ["Practitioner/1"])
    #expect(view.effective?.text == "2015-01-15T14:30:00+01:00")
    #expect(view.doseQuantity?.valueText == "3")
  }

  @Test func `a patient's names become R4 names`() throws {
    let patient = try JSONValue(
      parsing:
        #"{"resourceType":"Patient","name":[{"family":["van","Dyk"],"given":["Jan"]}],"careProvider":[{"reference":"Practitioner/1"}],"animal":{"species":{"text":"x"}},"link":[{"other":{"reference":"Patient/2"},"type":"replace"}]}"#
    )
    #expect(DSTU2.isWritten(patient))
    let conversion = DSTU2.r4(patient)
    #expect(ResourceValidator.issues(in: conversion.resource, expecting: .patient) == [])
    #expect(PatientView(conversion.resource).familyName == "van Dyk")
    #expect(conversion.resource["link"]?[0]?["type"]?.string == "replaced-by")
    #expect(conversion.notes.map(\.element) == ["Patient.animal"])
  }

  @Test(arguments: [
    #"{"resourceType":"MedicationRequest","subject":{"reference":"Patient/1"}}"#,
    #"{"resourceType":"MedicationAdministration","subject":{"reference":"Patient/1"},"request":{"reference":"MedicationRequest/1"}}"#,
    #"{"resourceType":"Patient","name":[{"family":"Dyk"}]}"#,
    #"{"resourceType":"Medication","form":{"text":"tablet"}}"#, "{}", "[]", "7",
    #"{"resourceType":"Patient","name":7}"#,
  ])
  func `R4 resources and empty values are left unchanged`(text: String) throws {
    let resource = try JSONValue(parsing: text)
    #expect(!DSTU2.isWritten(resource))
  }

  @Test(arguments: [
    #"{"resourceType":"MedicationOrder","dosageInstruction":7,"note":[1],"contained":"x","patient":[],"status":{}}"#,
    #"{"resourceType":"MedicationAdministration","wasNotGiven":"yes","performer":7,"prescription":"x","dosage":[7]}"#,
    #"{"resourceType":"Medication","product":[{"batch":7},7],"package":null}"#,
    #"{"resourceType":"Patient","name":{"family":[7]},"careProvider":null,"link":[7]}"#,
    #"{"resourceType":7}"#, "null",
  ])
  func `unusual content is kept or noted and never crashes`(text: String) throws {
    let resource = try JSONValue(parsing: text)
    let conversion = DSTU2.r4(resource)
    // Rejecting the result is the validator's task.
    #expect(conversion.resource.bytes.count > 0)
  }
}
