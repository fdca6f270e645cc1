// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Web

/// Repeated writes with an Idempotency-Key.
@Suite struct IdempotencyTests {
  private static let key: HTTPFields = [.idempotencyKey: "8f14e45f-ceea-467f-a8f1-0c1b2d3e4f50"]

  @Test func `a repeated body gets the first response even after changes`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      let first = try await ann.answer(id, ["action": "taken"], Self.key)
      #expect(first.status == .ok)
      #expect(try await ann.answer(id, ["action": "undo"]).status == .ok)
      let again = try await ann.answer(id, ["action": "taken"], Self.key)
      #expect(again.status == first.status)
      #expect(again.text == first.text)
      #expect(again.headers[.contentType] == first.headers[.contentType])
      #expect(try await ann.doses().first?["state"] == "scheduled")
    }
  }

  @Test func `another body under the same key is refused`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      #expect(try await ann.answer(id, ["action": "taken"], Self.key).status == .ok)
      try await ann.answer(id, ["action": "undo"], Self.key)
        .expectProblem(.unprocessableContent, "idempotency-key-reused")
      // The bytes of a body count, not its meaning.
      try await ann.answer(id, ["action": "taken", "confirm": false], Self.key)
        .expectProblem(.unprocessableContent, "idempotency-key-reused")
      #expect(try await ann.doses().first?["state"] == "taken")
    }
  }

  @Test func `a key applies to one address and one token`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let one = try await ann.newDose("Oneol")
      let two = try await ann.newDose("Twool")
      #expect(try await ann.answer(one, ["action": "taken"], Self.key).status == .ok)
      let other = try await ann.answer(two, ["action": "taken"], Self.key)
      #expect(try other.json()["id"]?.string == two)
      let token = try await harness.token(of: ann.account)
      let elsewhere = try await harness.send(
        .post, "/api/v1/doses/\(one)/answers", token.with(Self.key),
        json: ["action": "skipped", "corrects": 99])
      try elsewhere.expectProblem(.conflict, "stale")
    }
  }

  @Test func `a refused request doesn't use up its key`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      try await ann.answer(id, ["action": "eaten"], Self.key).expectProblem(.unprocessableContent)
      #expect(try await ann.answer(id, ["action": "taken"], Self.key).status == .ok)
    }
  }

  @Test func `a conflict is repeated as a first response too`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      #expect(try await ann.answer(id, ["action": "skipped"]).status == .ok)
      let first = try await ann.answer(id, ["action": "taken"], Self.key)
      try first.expectProblem(.conflict, "answered")
      // As in every other problem, the identifier leads to the log entry of the request.
      #expect(try first.json()["trace"]?.string == first.headers[.xRequestID])
      #expect(first.headers[.xRequestID] != nil)
      try await ann.answer(id, ["action": "refused"], Self.key)
        .expectProblem(.unprocessableContent, "idempotency-key-reused")
      #expect(try await ann.answer(id, ["action": "undo"]).status == .ok)
      let again = try await ann.answer(id, ["action": "taken"], Self.key)
      try again.expectProblem(.conflict, "answered")
      #expect(again.text == first.text)
      #expect(again.headers[.contentType] == first.headers[.contentType])
      #expect(try await ann.doses().first?["state"] == "scheduled")
    }
  }

  @Test func `an entry and a posted plan are created once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let entry: JSONValue = [
        "medicine": "Paracetamol", "at": "2026-03-01T06:00:00Z", "taken": true,
      ]
      let first = try await ann.post("/api/v1/administrations", entry, Self.key)
      #expect(first.status == .created)
      let second = try await ann.post("/api/v1/administrations", entry, Self.key)
      #expect(second.status == .created)
      #expect(second.text == first.text)
      #expect(try await ann.get("/fhir/MedicationAdministration").json()["total"] == 1)
      let plan = try await ann.post("/fhir/MedicationRequest", ann.request(), Self.key)
      let again = try await ann.post("/fhir/MedicationRequest", ann.request(), Self.key)
      #expect(again.status == .created)
      for name in [HTTPField.Name.location, .eTag, .lastModified, .contentType] {
        #expect(again.headers[name] == plan.headers[name])
        #expect(again.headers[name] != nil)
      }
      #expect(again.text == plan.text)
      #expect(try await ann.get("/fhir/MedicationRequest").json()["total"] == 1)
    }
  }

  @Test(arguments: ["", "with blank", "tab\tbed", String(repeating: "k", count: 256)])
  func `an invalid key is refused`(key: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      try await ann.answer(id, ["action": "taken"], [.idempotencyKey: key])
        .expectProblem(.badRequest)
      #expect(try await ann.doses().first?["state"] == "scheduled")
    }
  }

  @Test func `the key is stored in the same transaction as the write`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      try await harness.environment.database.write { writer in
        _ = try writer.execute(
          """
          CREATE TRIGGER broken BEFORE INSERT ON idempotency
          BEGIN SELECT RAISE(ABORT, 'broken'); END
          """, [])
      }
      let broken = try await ann.answer(id, ["action": "taken"], Self.key)
      try broken.expectProblem(.internalServerError)
      #expect(try await ann.doses().first?["state"] == "scheduled")
      #expect(try await ann.get("/fhir/MedicationAdministration").json()["total"] == 0)
      try await harness.environment.database.write { writer in
        _ = try writer.execute("DROP TRIGGER broken", [])
      }
      #expect(try await ann.answer(id, ["action": "taken"], Self.key).status == .ok)
    }
  }

  @Test func `keys are deleted after 30 days and not before`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      _ = try await ann.answer(id, ["action": "taken"], Self.key)
      let database = harness.environment.database
      func forget() async throws -> Int {
        let now = harness.clock.now
        return try await database.write { try IdempotentWrite.forgetOld(at: now, in: $0) }
      }
      harness.clock.advance(minutes: 30 * 24 * 60)
      #expect(try await forget() == 0)
      harness.clock.advance(minutes: 1)
      #expect(try await forget() == 1)
    }
  }
}
