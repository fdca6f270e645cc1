// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import People
import Storage
import Testing
import TestSupport

@testable import FHIRAPI
@testable import Web

/// Resources that stand for something else on this server: people, plans, doses and packs.
@Suite struct DomainWriteTests {
  @Test func `a deleted plan gives no more doses, and comes back with them`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      let address = "/fhir/MedicationRequest/\(plan)"
      #expect(try await ann.doses().contains { $0["state"]?.string != "cancelled" })
      #expect(try await ann.delete(address, [.ifMatch: #"W/"9""#]).status == .preconditionFailed)
      #expect(try await ann.delete(address, [.ifMatch: #"W/"1""#]).status == .noContent)
      #expect(try await ann.get(address).status == .gone)
      #expect(try await ann.count("/fhir/MedicationRequest") == 0)
      #expect(try await ann.doses().allSatisfy { $0["state"]?.string == "cancelled" })
      #expect(try await ann.delete(address).status == .noContent)
      // The plan itself stays for those who look back.
      let browser = try await harness.session(of: ann.account)
      for page in ["/", "/medicines", "/medicines/\(plan)", "/history"] {
        #expect(try await browser.open(page).status.code < 500, "\(page)")
      }
      let back = try await ann.put(address, ann.request(id: plan.text))
      #expect(back.status == .ok, "\(back.text)")
      #expect(try await ann.doses().contains { $0["state"]?.string != "cancelled" })
    }
  }

  @Test func `a Patient is stored whole, and the person follows`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/Patient/\(ann.account.patient)"
      let read = try await ann.get(address)
      var patient = try read.json()
      patient["name"] = [["family": "Stone", "given": ["Anna"]]]
      patient["maritalStatus"] = ["text": "Married"]
      patient["extension"] = [
        [
          "url": "http://hl7.org/fhir/StructureDefinition/timezone",
          "valueCode": "America/New_York",
        ]
      ]
      let tag = try #require(read.headers[.eTag])
      let stored = try await ann.put(address, patient, [.ifMatch: tag])
      #expect(stored.status == .ok, "\(stored.text)")
      #expect(try stored.json()["maritalStatus"]?["text"] == "Married")
      let person = try await harness.environment.database.read { reader in
        try PeopleRows.load(ann.account.patient, in: reader)
      }
      #expect(person?.displayName == "Anna Stone")
      #expect(person?.zone == "America/New_York")

      patient["birthDate"] = "2090-01-01"
      try await ann.put(address, patient)
        .expectOutcome(.unprocessableContent, at: "Patient.birthDate")
      patient["birthDate"] = "1948-07"
      patient["extension"] = [
        ["url": "http://hl7.org/fhir/StructureDefinition/timezone", "valueCode": "Moon/Base"]
      ]
      try await ann.put(address, patient)
        .expectOutcome(.unprocessableContent, at: "Patient.extension")
      let refused = try await ann.delete(address)
      try refused.expectOutcome(.methodNotAllowed, "not-supported")
      #expect(refused.headers[.allow] == "GET, HEAD, PATCH, PUT")
    }
  }

  @Test func `only a system adds people`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let system = try await ann.asSystem()
      let bea: JSONValue = [
        "resourceType": "Patient", "id": "bea", "name": [["text": "Bea B."]],
      ]
      try await ann.post("/fhir/Patient", bea).expectOutcome(.forbidden)
      try await ann.put("/fhir/Patient/bea", bea).expectOutcome(.notFound)
      let created = try await system.put("/fhir/Patient/bea", bea)
      #expect(created.status == .created, "\(created.text)")
      #expect(try await system.get("/fhir/Patient/bea").text == created.text)
      try await ann.get("/fhir/Patient/bea").expectOutcome(.notFound)
      try await system.post("/fhir/Patient", ["resourceType": "Patient"])
        .expectOutcome(.unprocessableContent, at: "Patient.name")
      var request = ann.request()
      request["subject"] = ["reference": "Patient/bea"]
      #expect(try await system.post("/fhir/MedicationRequest", request).status == .created)
    }
  }

  @Test func `doses and packs are withdrawn by their source`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      for resource in Self.resources(of: ann) {
        let type = try #require(resource["resourceType"]?.string)
        let created = try await ann.post("/fhir/\(type)", resource)
        #expect(created.status == .created, "\(created.text)")
        let id = try #require(try created.json()["id"]?.string)
        let address = "/fhir/\(type)/\(id)"
        var changed = resource
        changed["id"] = .string(id)
        changed["status"] = "entered-in-error"
        try await ann.put(address, changed, [.ifMatch: #"W/"7""#])
          .expectOutcome(.preconditionFailed)
        #expect(try await ann.put(address, changed, [.ifMatch: #"W/"1""#]).status == .ok)
        #expect(try await ann.get(address).json()["status"] == "entered-in-error")
        let unknown = try await ann.put("/fhir/\(type)/unknown", changed)
        #expect(unknown.status == .badRequest || unknown.status == .notFound)
      }
    }
  }

  @Test func `a deleted dose or pack is gone for good`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      for resource in Self.resources(of: ann) {
        let type = try #require(resource["resourceType"]?.string)
        let created = try await ann.post("/fhir/\(type)", resource)
        let id = try #require(try created.json()["id"]?.string)
        let address = "/fhir/\(type)/\(id)"
        try await ann.delete(address, [.ifMatch: #"W/"7""#]).expectOutcome(.preconditionFailed)
        try await ann.delete("/fhir/\(type)/unknown").expectOutcome(.notFound)
        #expect(try await ann.delete(address, [.ifMatch: #"W/"1""#]).status == .noContent)
        #expect(try await ann.delete(address).status == .noContent)
        try await ann.get(address).expectOutcome(.gone)
        #expect(try await ann.get("\(address)/_history/1").status == .ok)
        let history = try await ann.get("\(address)/_history").json()
        #expect(history["entry"]?[0]?["request"]?["method"] == "DELETE")
        #expect(try await ann.count("/fhir/\(type)") == 0)
        // Its identifier is known, and its source cannot bring it back.
        try await ann.post("/fhir/\(type)", resource)
          .expectOutcome(.conflict, "deleted", at: "\(type).identifier")
        var sent = resource
        sent["id"] = .string(id)
        try await ann.put(address, sent).expectOutcome(.conflict, "deleted")
      }
    }
  }

  @Test func `deleting the record of a dose opens the dose again`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let dose = try await ann.newDose(timing: Person.timing("07:00:00"))
      func state() async throws -> String? {
        try await ann.doses().first { $0["id"]?.string == dose }?["state"]?.string
      }
      func record() async throws -> String {
        let taken = try await ann.answer(dose, ["action": "taken"])
        #expect(taken.status == .ok, "\(taken.text)")
        let found = try await ann.get("/fhir/MedicationAdministration?status=completed").json()
        return try #require(found["entry"]?[0]?["resource"]?["id"]?.string)
      }
      let open = try await state()
      let first = try await record()
      #expect(try await state() == "taken")
      let search = "/fhir/MedicationAdministration?status=completed"
      #expect(try await ann.delete(search).status == .noContent)
      #expect(try await state() == open)
      try await ann.get("/fhir/MedicationAdministration/\(first)").expectOutcome(.gone)
      // An entry of a Bundle deletes it, too; a transaction that fails undoes nothing.
      let second = try await record()
      let entry = BundleEntryForm.entry("DELETE", "MedicationAdministration/\(second)")
      let failed = try await ann.bundle(
        "transaction", [entry, BundleEntryForm.entry("DELETE", "Patient/\(ann.account.patient)")])
      #expect(failed.status == .methodNotAllowed, "\(failed.text)")
      #expect(try await state() == "taken")
      #expect(try await ann.bundle("transaction", [entry]).status == .ok)
      #expect(try await state() == open)
      let answer = try await ann.bundle("batch", [entry]).json()
      #expect(answer["entry"]?[0]?["response"]?["status"]?.string?.hasPrefix("204") == true)
    }
  }

  private static func resources(of ann: Person) -> [JSONValue] {
    let subject: JSONValue = ["reference": .string("Patient/\(ann.account.patient)")]
    return [
      [
        "resourceType": "MedicationAdministration", "status": "completed", "subject": subject,
        "identifier": [["system": "urn:clinic", "value": "1"]],
        "medicationCodeableConcept": ["text": "Ibuprofen"],
        "effectiveDateTime": "2026-03-01T06:30:00Z",
      ],
      [
        "resourceType": "MedicationDispense", "status": "completed", "subject": subject,
        "identifier": [["system": "urn:pharmacy", "value": "1"]],
        "medicationCodeableConcept": ["text": "Ibuprofen"], "whenHandedOver": "2026-03-01",
        "quantity": ["value": 20, "unit": "tablet"],
      ],
    ]
  }
}
