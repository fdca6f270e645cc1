// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@Suite struct FHIRAdministrationWriteTests {
  private static let base = "/fhir/MedicationAdministration"

  private func administration(
    _ number: String, of ann: Person, at time: String = "2026-03-01T06:30:00Z", id: String? = nil
  ) -> JSONValue {
    var resource: JSONValue = [
      "resourceType": "MedicationAdministration", "status": "completed",
      "identifier": [["system": "urn:clinic", "value": .string(number)]],
      "medicationCodeableConcept": ["text": "Ibuprofen 400 mg"],
      "subject": ["reference": .string("Patient/\(ann.account.patient)")],
      "effectiveDateTime": .string(time),
    ]
    resource["id"] = id.map { .string($0) }
    return resource
  }

  @Test func `the response equals the record as read later`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let created = try await ann.post(Self.base, administration("1", of: ann))
      #expect(created.status == .created, "\(created.text)")
      #expect(created.headers[.eTag] == #"W/"1""#)
      let id = try #require(try created.json()["id"]?.string)
      let address = "\(Self.base)/\(id)"
      #expect(created.headers[.location] == "http://localhost\(address)/_history/1")
      #expect(try await ann.get(address).text == created.text)

      let again = try await ann.post(Self.base, administration("1", of: ann))
      #expect(again.status == .ok)
      #expect(again.text == created.text)

      let changed = administration("1", of: ann, at: "2026-03-01T06:40:00Z", id: id)
      let updated = try await ann.put(address, changed)
      #expect(updated.status == .ok, "\(updated.text)")
      #expect(updated.headers[.eTag] == #"W/"2""#)
      #expect(try updated.json()["effectiveDateTime"]?.string == "2026-03-01T06:40:00Z")
      let read = try await ann.get(address)
      #expect(read.text == updated.text)
      #expect(read.headers[.lastModified] == updated.headers[.lastModified])
    }
  }

  @Test func `a record is corrected only by its original identifier`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let created = try await ann.post(Self.base, administration("1", of: ann))
      let id = try #require(try created.json()["id"]?.string)
      let other = try await ann.post(Self.base, administration("2", of: ann))
      #expect(other.status == .created, "\(other.text)")
      for number in ["2", "3"] {
        try await ann.put("\(Self.base)/\(id)", administration(number, of: ann, id: id))
          .expectOutcome(.unprocessableContent, at: "MedicationAdministration.identifier")
      }
      #expect(try await ann.get("\(Self.base)/\(id)").text == created.text)
    }
  }

  @Test(arguments: ["MedicationAdministration", "MedicationDispense", "MedicationRequest"])
  func `a reference to a shared Medication gets its name`(type: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let system = try await ann.asSystem()
      let medications: [(String, JSONValue)] = [
        ("m1", ["text": "Ibuprofen 400 mg"]),
        ("m2", ["coding": [["system": "urn:s", "code": "1"], ["display": "Ibuprofen"]]]),
        ("m3", ["coding": [["system": "urn:s", "code": "1"]]]),
      ]
      for (id, code) in medications {
        let stored = try await system.put(
          "/fhir/Medication/\(id)",
          ["resourceType": "Medication", "id": .string(id), "code": code])
        #expect(stored.status == .created, "\(stored.text)")
      }
      func resource(_ reference: JSONValue, _ number: String) -> JSONValue {
        var resource =
          type == "MedicationRequest" ? ann.request() : administration(number, of: ann)
        if type == "MedicationDispense" {
          resource["resourceType"] = "MedicationDispense"
          resource["effectiveDateTime"] = nil
        }
        resource["medicationCodeableConcept"] = nil
        resource["medicationReference"] = reference
        return resource
      }
      let names = [("m1", "Ibuprofen 400 mg"), ("m2", "Ibuprofen")]
      for (id, name) in names {
        let created = try await ann.post(
          "/fhir/\(type)", resource(["reference": .string("Medication/\(id)")], id))
        #expect(created.status == .created, "\(created.text)")
        let stored = try created.json()["medicationReference"]
        #expect(stored?["display"]?.string == name)
        #expect(stored?["reference"]?.string == "Medication/\(id)")
      }
      let absolute = try await ann.post(
        "/fhir/\(type)", resource(["reference": "http://localhost/fhir/Medication/m1"], "a"))
      #expect(try absolute.json()["medicationReference"]?["display"] == "Ibuprofen 400 mg")
      let own = try await ann.post(
        "/fhir/\(type)", resource(["reference": "Medication/m3", "display": "Nurofen"], "o"))
      #expect(try own.json()["medicationReference"]?["display"] == "Nurofen", "\(own.text)")
      try await ann.post("/fhir/\(type)", resource(["reference": "Medication/m3"], "n"))
        .expectOutcome(.unprocessableContent, at: "\(type).medicationReference.display")
    }
  }
}
