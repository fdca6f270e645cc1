// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

/// Doses and prescriptions that apps record, which also change what depends on them.
@Suite struct AppDomainWriteTests {
  private static let doses = "/fhir/MedicationAdministration"

  private static func run(
    _ test:
      @escaping @Sendable (Person, @escaping @Sendable (String) -> AppClient) async throws
      -> Void
  ) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await AppClient.run(harness) { start in
        try await test(ann) { scopes in start(ann, scopes) }
      }
    }
  }

  private static func dose(_ number: String, of ann: Person) -> JSONValue {
    [
      "resourceType": "MedicationAdministration", "status": "completed",
      "identifier": [["system": "urn:clinic", "value": .string(number)]],
      "medicationCodeableConcept": ["text": "Ibuprofen 400 mg"],
      "subject": ["reference": .string("Patient/\(ann.account.patient)")],
      "effectiveDateTime": "2026-03-01T06:30:00Z",
    ]
  }

  @Test func `an app records a dose without seeing any`() async throws {
    try await Self.run { ann, start in
      let app = start("patient/MedicationAdministration.c")
      let created = try await app.send(.post, Self.doses, Self.dose("1", of: ann))
      #expect(created.status == .created, "\(created.text)")
      #expect(try await ann.count(Self.doses) == 1)
      try await app.get(Self.doses).expectOutcome(.forbidden)
      // The answer to a dose that is known already would show the stored one.
      try await app.send(.post, Self.doses, Self.dose("1", of: ann)).expectOutcome(.forbidden)
      let reader = start("patient/MedicationAdministration.cr")
      let again = try await reader.send(.post, Self.doses, Self.dose("1", of: ann))
      #expect(again.status == .ok, "\(again.text)")
      #expect(try await ann.count(Self.doses) == 1)
    }
  }

  @Test func `a constrained right to create does not extend to what is stored`() async throws {
    try await Self.run { ann, start in
      let app = start("patient/MedicationAdministration.cru?status=completed")
      let created = try await app.send(.post, Self.doses, Self.dose("1", of: ann))
      #expect(created.status == .created, "\(created.text)")
      try await app.send(.post, Self.doses, Self.dose("1", of: ann)).expectOutcome(.forbidden)
      let other = start("patient/MedicationAdministration.cru?status=not-done")
      try await other.send(.post, Self.doses, Self.dose("2", of: ann)).expectOutcome(.forbidden)
      #expect(try await ann.count(Self.doses) == 1)
    }
  }

  @Test func `an app that deletes a dose may also read and change it`() async throws {
    try await Self.run { ann, start in
      let created = try await ann.post(Self.doses, Self.dose("1", of: ann))
      let address = "\(Self.doses)/\(try #require(try created.json()["id"]?.string))"
      for letters in ["cru", "d", "rd", "ud"] {
        let app = start("patient/MedicationAdministration.\(letters)")
        try await app.send(.delete, address).expectOutcome(.forbidden)
      }
      let other = start("patient/MedicationAdministration.rud?status=not-done")
      #expect(try await other.send(.delete, address).status != .noContent)
      #expect(try await ann.get(address).status == .ok)
      let app = start("patient/MedicationAdministration.rud")
      #expect(try await app.send(.delete, address).status == .noContent)
      try await ann.get(address).expectOutcome(.gone)
    }
  }

  @Test func `an app stores a prescription without seeing others`() async throws {
    try await Self.run { ann, start in
      let app = start("patient/MedicationRequest.c")
      let created = try await app.send(.post, "/fhir/MedicationRequest", ann.request())
      #expect(created.status == .created, "\(created.text)")
      let id = try #require(try created.json()["id"]?.string)
      try await app.get("/fhir/MedicationRequest/\(id)").expectOutcome(.forbidden)
      try await app.send(
        .put, "/fhir/MedicationRequest/\(id)", ann.request("Otherol", id: id)
      ).expectOutcome(.forbidden)
      #expect(try await ann.count("/fhir/MedicationRequest") == 1)
    }
  }
}
