// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import SiteMap
import Storage
import Testing
import TestSupport

@testable import Web

/// Changed and deleted Observations: the day's value is recalculated, and the history stays.
@Suite struct ObservationChangeTests {
  private static func observation(
    _ person: Person, _ value: JSONValue, at: String = "2026-02-28T07:00:00Z", id: String? = nil,
    code: JSONValue = "40443-4"
  ) -> JSONValue {
    var resource: JSONValue = [
      "resourceType": "Observation", "status": "final",
      "code": ["coding": [["system": "http://loinc.org", "code": code]]],
      "subject": ["reference": .string("Patient/\(person.account.patient)")],
      "effectiveDateTime": .string(at), "device": ["display": "Watch"],
      "valueQuantity": [
        "value": value, "unit": "beats/minute", "system": "http://unitsofmeasure.org",
        "code": "/min",
      ],
    ]
    resource["id"] = id.map(JSONValue.string)
    return resource
  }

  private static func make(_ person: Person, _ resource: JSONValue) async throws -> String {
    let made = try await person.post("/fhir/Observation", resource)
    #expect(made.status == .created, "\(made.text)")
    return try #require(try made.json()["id"]?.string)
  }

  private static func delete(_ person: Person, _ id: String, _ headers: HTTPFields = [:])
    async throws -> TestResponse
  {
    try await person.harness.send(
      .delete, "/fhir/Observation/\(id)", person.token.with(headers))
  }

  private static func days(_ person: Person) async throws -> [String] {
    try await HealthFileTests.days(person.harness, person.account.patient)
  }

  @Test func `a change makes a version and updates its day, stale ones fail`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await Self.make(ann, Self.observation(ann, 61))
      let changed = try await ann.put(
        "/fhir/Observation/\(id)", Self.observation(ann, 57, id: id), [.ifMatch: "W/\"1\""])
      #expect(changed.status == .ok && changed.headers[.eTag] == "W/\"2\"", "\(changed.text)")
      #expect(try changed.json()["meta"]?["versionId"] == "2")
      #expect(try await Self.days(ann) == ["2026-02-28 57000 Watch"])
      let stale = try await ann.put(
        "/fhir/Observation/\(id)", Self.observation(ann, 50, id: id), [.ifMatch: "W/\"1\""])
      #expect(stale.status == .preconditionFailed)
      let moved = try await ann.put(
        "/fhir/Observation/\(id)",
        Self.observation(ann, 57, at: "2026-02-27T07:00:00Z", id: id))
      #expect(moved.status == .ok)
      #expect(try await Self.days(ann) == ["2026-02-27 57000 Watch"])
      let read = try await ann.get("/fhir/Observation/\(id)")
      #expect(read.headers[.eTag] == "W/\"3\"")
      #expect(
        try await ann.get("/fhir/Observation/\(id)", [.ifNoneMatch: "W/\"3\""]).status
          == .notModified)
      let history = try await ann.get("/fhir/Observation/\(id)/_history").json()
      #expect(history["total"] == 3)
      #expect(
        history["entry"]?.array?.map { $0["request"]?["method"]?.string } == ["PUT", "PUT", "POST"])
      let first = try await ann.get("/fhir/Observation/\(id)/_history/1").json()
      #expect(first["valueQuantity"]?["value"] == 61)
    }
  }

  @Test func `a deleted value leaves its day but keeps its history`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let early = try await Self.make(ann, Self.observation(ann, 61))
      let late = try await Self.make(
        ann, Self.observation(ann, 58, at: "2026-02-28T20:00:00Z"))
      #expect(try await Self.days(ann) == ["2026-02-28 58000 Watch"])
      #expect(try await Self.delete(ann, late, [.ifMatch: "W/\"7\""]).status == .preconditionFailed)
      #expect(try await Self.delete(ann, late, [.ifMatch: "W/\"1\""]).status == .noContent)
      #expect(try await Self.days(ann) == ["2026-02-28 61000 Watch"])
      #expect(try await ann.get("/fhir/Observation/\(late)").status == .gone)
      #expect(try await Self.delete(ann, late).status == .noContent)
      let history = try await ann.get("/fhir/Observation/\(late)/_history").json()
      #expect(
        history["entry"]?.array?.map { $0["request"]?["method"]?.string } == ["DELETE", "POST"])
      #expect(try await ann.get("/fhir/Observation/\(late)/_history/2").status == .gone)
      #expect(try await ann.get("/fhir/Observation/\(late)/_history/1").status == .ok)
      let back = try await ann.put(
        "/fhir/Observation/\(late)", Self.observation(ann, 50, id: late))
      #expect(back.status == .ok && back.headers[.eTag] == "W/\"3\"", "\(back.text)")
      #expect(try await Self.days(ann) == ["2026-02-28 50000 Watch"])
      #expect(try await Self.delete(ann, late).status == .noContent)
      #expect(try await Self.delete(ann, early).status == .noContent)
      #expect(try await Self.days(ann) == [])
      #expect(try await ann.get("/fhir/Observation").json()["total"] == 0)
    }
  }

  @Test func `samples of a day are removed one by one`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var ids: [String] = []
      for minute in 10..<14 {
        ids.append(
          try await Self.make(
            ann,
            Self.observation(
              ann, .number(JSONNumber(50 + minute)), at: "2026-02-28T07:\(minute):00Z",
              code: "8867-4")))
      }
      let mean = {
        let token = ann.account.patient
        return try await harness.environment.database.read { reader in
          try reader.first(
            "SELECT value, count FROM vital_days WHERE patient = $1 AND value IS NOT NULL",
            [.text(token)]
          ).map { try [$0.integer(0), $0.integer(1)] }
        }
      }
      #expect(try await mean() == [246_000, 4])
      #expect(try await Self.delete(ann, ids[0]).status == .noContent)
      #expect(try await mean() == [186_000, 3])
      for id in ids.dropFirst() { _ = try await Self.delete(ann, id) }
      #expect(try await mean() == nil)
    }
  }

  @Test func `a calculated value can be deleted but not changed`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let reading: JSONValue = [
        "type": "resting-heart-rate", "at": "2026-02-28T07:00:00Z", "value": 61, "source": "Watch",
      ]
      _ = try await ann.post(Address.vitalsAPI, ["readings": [reading]])
      let found = try await ann.get("/fhir/Observation").json()
      let id = try #require(found["entry"]?[0]?["resource"]?["id"]?.string)
      #expect(
        try await ann.put("/fhir/Observation/\(id)", Self.observation(ann, 50, id: id)).status
          == .notFound)
      let history = try await ann.get("/fhir/Observation/\(id)/_history").json()
      #expect(history["total"] == 1)
      let tag = try #require(try await ann.get("/fhir/Observation/\(id)").headers[.eTag])
      #expect(try await Self.delete(ann, id, [.ifMatch: "W/\"1\""]).status == .preconditionFailed)
      #expect(try await Self.delete(ann, id, [.ifMatch: tag]).status == .noContent)
      #expect(try await Self.days(ann) == [])
      // The same value again does not restore it.
      _ = try await ann.post(Address.vitalsAPI, ["readings": [reading]])
      #expect(try await Self.days(ann) == [])
    }
  }

  @Test func `others' values are not found, and a body must match its address`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let id = try await Self.make(ann, Self.observation(ann, 61))
      let path = "/fhir/Observation/\(id)"
      #expect(try await bob.put(path, Self.observation(bob, 50, id: id)).status == .notFound)
      #expect(try await Self.delete(bob, id).status == .notFound)
      #expect(try await bob.get("\(path)/_history").status == .notFound)
      #expect(try await ann.put(path, Self.observation(ann, 50, id: "x")).status == .badRequest)
      #expect(try await ann.put(path, Self.observation(ann, 50)).status == .badRequest)
      #expect(
        try await ann.put(path, Self.observation(ann, 6_000, id: id)).status
          == .unprocessableContent)
      #expect(
        try await ann.put(path, Self.observation(ann, 50, id: id), [.ifMatch: "x"]).status
          == .badRequest)
      #expect(try await Self.delete(ann, "nothing").status == .notFound)
      _ = try await Self.delete(ann, id)
      #expect(try await bob.get(path).status == .notFound)
      #expect(try await bob.get("\(path)/_history/1").status == .notFound)
    }
  }
}
