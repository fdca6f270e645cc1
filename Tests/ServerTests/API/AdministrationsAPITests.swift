// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Records
import Testing
import TestSupport

@Suite struct AdministrationsAPITests {
  private static let address = "/api/v1/administrations"

  @Test func `an intake answers the plan's open dose with a matching window`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      let dose = try await ann.dose(of: plan)
      harness.clock.advance(minutes: 70)
      let entry = try await ann.post(
        Self.address,
        ["medicine": .string(plan), "at": "2026-03-01T08:04:00Z", "taken": true])
      #expect(entry.status == .created, "\(entry.text)")
      #expect(try entry.json()["dose"]?["id"]?.string == dose)
      #expect(try entry.json()["dose"]?["state"] == "taken")
      let id = try #require(try entry.json()["id"]?.string)
      let stored = try await ann.get("/fhir/MedicationAdministration/\(id)").json()
      #expect(stored["status"] == "completed")
      #expect(stored["effectiveDateTime"] == "2026-03-01T08:04:00+00:00")
      #expect(stored["request"]?["reference"]?.string == "MedicationRequest/\(plan)")
    }
  }

  @Test func `outside every window it is an extra intake`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      let entry = try await ann.post(
        Self.address,
        [
          "patient": .string(ann.account.patient), "medicine": .string(plan),
          "at": "2026-02-27T12:00:00+01:00", "taken": true,
          "amount": ["value": .decimal("0.50"), "unit": "tablet"],
        ])
      #expect(entry.status == .created, "\(entry.text)")
      #expect(try entry.json()["dose"] == nil)
      let id = try #require(try entry.json()["id"]?.string)
      let stored = try await ann.get("/fhir/MedicationAdministration/\(id)")
      #expect(stored.text.contains("0.50"))
      #expect(try await ann.doses().first?["state"] == "scheduled")
    }
  }

  @Test func `a skipped dose is recorded with its reason`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let entry = try await ann.post(
        Self.address,
        [
          "medicine": "Ibuprofen", "at": "2026-03-01T06:00:00Z", "taken": false,
          "reason": "no pain any more",
        ])
      #expect(entry.status == .created, "\(entry.text)")
      let id = try #require(try entry.json()["id"]?.string)
      let stored = try await ann.get("/fhir/MedicationAdministration/\(id)").json()
      #expect(stored["status"] == "not-done")
      #expect(stored["statusReason"]?[0]?["text"] == "no pain any more")
    }
  }

  @Test func `the same event is one entry`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let entry: JSONValue = [
        "medicine": "Ibuprofen", "at": "2026-03-01T06:00:00Z", "taken": true,
        "event": "7d444840-9dc0-11d1-b245-5ffdce74fad2",
      ]
      let first = try await ann.post(Self.address, entry)
      let second = try await ann.post(Self.address, entry)
      #expect(second.status == .created)
      #expect(try second.json() == first.json())
      #expect(try await ann.get("/fhir/MedicationAdministration").json()["total"] == 1)
    }
  }

  @Test func `a second intake soon after is questioned`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      var entry: JSONValue = [
        "medicine": .string(plan), "at": "2026-03-01T06:00:00Z", "taken": true,
      ]
      #expect(try await ann.post(Self.address, entry).status == .created)
      entry["at"] = "2026-03-01T06:30:00Z"
      let question = try await ann.post(Self.address, entry)
      try question.expectProblem(.conflict, "confirm")
      #expect(try question.json()["taken"]?[0]?["at"] == "2026-03-01T06:00:00+00:00")
      #expect(try await ann.get("/fhir/MedicationAdministration").json()["total"] == 1)
      entry["confirm"] = true
      #expect(try await ann.post(Self.address, entry).status == .created)
    }
  }

  @Test(arguments: [
    #"{}"#, #"{"medicine":"X","taken":true}"#, #"{"medicine":"X","at":"2026-03-01T06:00:00Z"}"#,
    #"{"at":"2026-03-01T06:00:00Z","taken":true}"#,
    #"{"medicine":"","at":"2026-03-01T06:00:00Z","taken":true}"#,
    #"{"medicine":" ","at":"2026-03-01T06:00:00Z","taken":true}"#,
    #"{"medicine":"X","at":"2026-03-01T09:00:00Z","taken":true}"#,
    #"{"medicine":"X","at":"2026-03-01","taken":true}"#,
    #"{"medicine":"X","at":"2026-03-01T06:00:00Z","taken":"yes"}"#,
    #"{"medicine":["X"],"at":"2026-03-01T06:00:00Z","taken":true}"#,
    #"{"medicine":"X\u0000Y","at":"2026-03-01T06:00:00Z","taken":true}"#,
    #"{"patient":7,"medicine":"X","at":"2026-03-01T06:00:00Z","taken":true}"#,
    #"{"medicine":"X","at":"2026-03-01T06:00:00Z","taken":true,"amount":{"value":0,"unit":"ml"}}"#,
    #"{"medicine":"X","at":"2026-03-01T06:00:00Z","taken":true,"event":"1"}"#,
  ])
  func `an invalid entry is refused`(body: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await ann.post(Self.address, JSONValue(parsing: body))
        .expectProblem(.unprocessableContent)
      #expect(try await ann.get("/fhir/MedicationAdministration").json()["total"] == 0)
    }
  }

  @Test func `medicine names that are too long are refused`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let long = JSONValue.string(String(repeating: "x", count: 201))
      try await ann.post(
        Self.address, ["medicine": long, "at": "2026-03-01T06:00:00Z", "taken": true]
      ).expectProblem(.unprocessableContent)
    }
  }

  @Test func `no one can write for another patient`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      for patient in [bob.account.patient, "nobody"] {
        try await ann.post(
          Self.address,
          [
            "patient": .string(patient), "medicine": "X", "at": "2026-03-01T06:00:00Z",
            "taken": true,
          ]
        ).expectProblem(.notFound)
      }
      #expect(try await bob.get("/fhir/MedicationAdministration").json()["total"] == 0)
    }
  }
}
