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
}
