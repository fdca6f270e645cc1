// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import FHIRAPI

/// Resources that are kept as they were sent, with a patient or without one.
@Suite struct ResourceWriteTests {
  private static let base = "/fhir/Condition"

  @Test func `a patient who does not exist is named`() async throws {
    try await ServerHarness.run { harness in
      let system = try await Person.make(harness).asSystem()
      var orphan = system.condition("Gout")
      orphan["subject"] = ["reference": "Patient/nobody"]
      try await system.post("/fhir/Condition", orphan)
        .expectOutcome(.notFound, "not-found", at: "Condition.subject")
    }
  }

  @Test func `a resource is created, replaced, deleted and brought back`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let created = try await ann.post(Self.base, ann.condition("Asthma", id: "mine"))
      #expect(created.status == .created, "\(created.text)")
      let id = try #require(try created.json()["id"]?.string)
      let address = "\(Self.base)/\(id)"
      #expect(id != "mine")
      #expect(created.headers[.location] == "http://localhost\(address)/_history/1")
      #expect(created.headers[.eTag] == #"W/"1""# && created.headers[.lastModified] != nil)
      #expect(try await ann.get(address).text == created.text)

      let changed = try await ann.put(address, ann.condition("Gout", id: id))
      #expect(changed.status == .ok && changed.headers[.eTag] == #"W/"2""#)
      try await ann.delete(address, [.ifMatch: #"W/"1""#]).expectOutcome(.preconditionFailed)
      #expect(try await ann.delete(address, [.ifMatch: #"W/"2""#]).status == .noContent)
      #expect(try await ann.get(address).status == .gone)
      #expect(try await ann.count(Self.base) == 0)
      #expect(try await ann.delete(address).status == .noContent)
      let news = try await ann.delete(address, [.prefer: "return=representation"])
      try news.expectOutcome(.ok, "informational")

      let back = try await ann.put(address, ann.condition("Gout", id: id))
      #expect(back.headers[.eTag] == #"W/"4""#, "\(back.text)")
      #expect(try await ann.count(Self.base) == 1)
      #expect(try await ann.delete("\(Self.base)/nothing").status == .notFound)
    }
  }

  @Test func `a PUT creates under the client's id, but not over another's`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let address = "\(Self.base)/c1"
      let created = try await ann.put(address, ann.condition("Asthma", id: "c1"))
      #expect(created.status == .created, "\(created.text)")
      try await bob.put(address, bob.condition("Gout", id: "c1")).expectOutcome(.notFound)
      try await bob.delete(address).expectOutcome(.notFound)
      try await bob.patch(address, [["op": "remove", "path": "/code"]]).expectOutcome(.notFound)
      try await bob.post(Self.base, ann.condition("Gout")).expectOutcome(.notFound)
      var moved = ann.condition("Asthma", id: "c1")
      moved["subject"] = ["reference": .string("Patient/\(bob.account.patient)")]
      #expect(try await ann.put(address, moved).status.code >= 400)
      #expect(try await ann.get(address).headers[.eTag] == #"W/"1""#)
    }
  }

  @Test func `what breaks the rules is refused with its element`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var nobody = ann.condition("Asthma")
      nobody["subject"] = nil
      try await ann.post(Self.base, nobody)
        .expectOutcome(.unprocessableContent, at: "Condition.subject")
      var wrong = ann.condition("Asthma")
      wrong["colour"] = "red"
      try await ann.post(Self.base, wrong)
        .expectOutcome(.unprocessableContent, at: "Condition.colour")
      try await ann.post(Self.base, ann.request())
        .expectOutcome(.badRequest, at: "resourceType")
      try await ann.put("\(Self.base)/a", ann.condition("Asthma", id: "b"))
        .expectOutcome(.badRequest, at: "Condition.id")
      #expect(try await ann.count(Self.base) == 0)
    }
  }

  @Test func `an answer contains what the client prefers`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      func put(_ preference: String) async throws -> TestResponse {
        try await ann.put(
          "\(Self.base)/c", ann.condition("Asthma", id: "c"), [.prefer: preference])
      }
      let minimal = try await put("return=minimal")
      #expect(minimal.status == .created && minimal.text.isEmpty)
      #expect(minimal.headers[.location] != nil && minimal.headers[.eTag] == #"W/"1""#)
      try await put("handling=strict; return=OperationOutcome").expectOutcome(.ok)
      #expect(try await put("return=representation").json()["id"] == "c")
      #expect(try await put("return=nonsense").json()["id"] == "c")
    }
  }

  @Test func `only a system changes what belongs to no patient`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let system = try await ann.asSystem()
      let doctor: JSONValue = [
        "resourceType": "Practitioner", "id": "d", "name": [["family": "Who"]],
      ]
      try await ann.put("/fhir/Practitioner/d", doctor).expectOutcome(.forbidden)
      try await ann.post("/fhir/Practitioner", doctor).expectOutcome(.forbidden)
      let created = try await system.put("/fhir/Practitioner/d", doctor)
      #expect(created.status == .created, "\(created.text)")
      #expect(try await ann.get("/fhir/Practitioner/d").text == created.text)
      let patched = try await system.patch(
        "/fhir/Practitioner/d", [["op": "add", "path": "/active", "value": true]])
      #expect(patched.headers[.eTag] == #"W/"2""#, "\(patched.text)")
      try await ann.delete("/fhir/Practitioner/d").expectOutcome(.forbidden)
      #expect(try await system.delete("/fhir/Practitioner/d").status == .noContent)
      #expect(try await ann.get("/fhir/Practitioner/d").status == .gone)
    }
  }

  @Test func `an Observation stays a measurement, or stays none`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      func observation(_ code: JSONValue) -> JSONValue {
        [
          "resourceType": "Observation", "id": "o", "status": "final",
          "code": ["coding": [["system": "http://loinc.org", "code": code]]],
          "subject": ["reference": .string("Patient/\(ann.account.patient)")],
          "effectiveDateTime": "2026-02-28T07:00:00Z",
          "valueQuantity": [
            "value": 61, "unit": "beats/minute", "system": "http://unitsofmeasure.org",
            "code": "/min",
          ],
        ]
      }
      let address = "/fhir/Observation/o"
      #expect(try await ann.put(address, observation("1-1")).status == .created)
      try await ann.put(address, observation("8867-4"))
        .expectOutcome(.unprocessableContent, at: "Observation.code")
      let vital = try await ann.post("/fhir/Observation", observation("8867-4"))
      #expect(vital.status == .created, "\(vital.text)")
      let id = try #require(try vital.json()["id"]?.string)
      var other = observation("1-1")
      other["id"] = .string(id)
      try await ann.put("/fhir/Observation/\(id)", other)
        .expectOutcome(.unprocessableContent, at: "Observation.code")
      #expect(try await ann.delete(address).status == .noContent)
      var wrong = observation("8867-4")
      wrong["colour"] = "red"
      try await ann.post("/fhir/Observation", wrong)
        .expectOutcome(.unprocessableContent, at: "Observation.colour")
    }
  }
}
