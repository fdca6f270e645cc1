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

  @Test func `doses and packs are withdrawn, not deleted`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let subject: JSONValue = ["reference": .string("Patient/\(ann.account.patient)")]
      let resources: [JSONValue] = [
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
      for resource in resources {
        let type = try #require(resource["resourceType"]?.string)
        let created = try await ann.post("/fhir/\(type)", resource)
        #expect(created.status == .created, "\(created.text)")
        let id = try #require(try created.json()["id"]?.string)
        let address = "/fhir/\(type)/\(id)"
        try await ann.delete(address).expectOutcome(.unprocessableContent, "business-rule")
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
}
