// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import SiteMap
import Storage
import Testing
import TestSupport

@testable import Observations
@testable import Web

/// Deletions are final, whatever the person's zone is later and whatever is sent again.
@Suite struct DeletionHoldsTests {
  private static func observation(
    _ person: Person, _ value: JSONValue, at: String, code: JSONValue = "8867-4",
    id: String? = nil
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

  private static func delete(_ person: Person, _ id: String) async throws {
    let answer = try await person.harness.send(.delete, "/fhir/Observation/\(id)", person.token)
    #expect(answer.status == .noContent, "\(answer.text)")
  }

  private static func send(
    _ person: Person, _ value: JSONValue, at: JSONValue, type: JSONValue
  ) async throws {
    let answer = try await person.post(
      Address.vitalsAPI,
      ["readings": [["type": type, "at": at, "value": value, "source": "Watch"]]])
    #expect(answer.status == .ok, "\(answer.text)")
  }

  private static func days(_ person: Person, _ metric: VitalMetric) async throws -> [String] {
    let patient = person.account.patient
    return try await person.harness.environment.database.read { reader in
      try VitalQueries.days(
        metric, of: patient, from: "2020-01-01", to: "2030-01-01", in: reader
      ).map { "\($0.day) \($0.thousandths) \($0.source)" }
    }
  }

  private static func move(_ person: Person, to zone: String) async throws {
    let patient = person.account.patient
    try await person.harness.environment.database.write { writer in
      try writer.execute(
        "UPDATE people SET zone = $1 WHERE patient = $2", [.text(zone), .text(patient)])
    }
  }

  @Test(arguments: ["2026-02-28T07:00:00Z", "2026-02-28T07:00:00+09:00"])
  func `after a zone change a deleted or changed sample leaves its old day`(at: String)
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let gone = try await Self.make(ann, Self.observation(ann, 61, at: at))
      let changed = try await Self.make(
        ann, Self.observation(ann, 71, at: at.replacing("07:00", with: "07:30")))
      try await Self.move(ann, to: "Pacific/Auckland")
      try await Self.delete(ann, gone)
      let put = try await ann.put(
        "/fhir/Observation/\(changed)",
        Self.observation(ann, 73, at: "2026-02-28T10:00:00Z", id: changed))
      #expect(put.status == .ok, "\(put.text)")
      let patient = ann.account.patient
      let left = try await harness.environment.database.read { reader in
        try reader.query(
          "SELECT value FROM vital_days WHERE patient = $1 AND value IS NOT NULL",
          [.text(patient)]
        ).map { try $0.integer(0) }
      }
      #expect(left == [73_000])
    }
  }

  @Test func `a deleted sample stays away, but other and manual values are stored`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let at = "2026-02-28T07:00:00Z"
      try await Self.send(ann, 61, at: .string(at), type: "heart-rate")
      let id = try await Self.make(ann, Self.observation(ann, 61, at: at))
      try await Self.delete(ann, id)
      #expect(try await Self.days(ann, .heartRate) == [])
      for _ in 1...2 { try await Self.send(ann, 61, at: .string(at), type: "heart-rate") }
      #expect(try await Self.days(ann, .heartRate) == [])
      try await Self.send(ann, 64, at: .string(at), type: "heart-rate")
      #expect(try await Self.days(ann, .heartRate) == ["2026-02-28 64000 Watch"])
      _ = try await Self.make(
        ann, Self.observation(ann, 61, at: "2026-02-28T07:00:00Z"))
      // Of two values for one second, the larger one counts.
      #expect(try await Self.days(ann, .heartRate) == ["2026-02-28 64000 Watch"])
    }
  }

  @Test func `after a day's value is deleted, an earlier different one counts`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await Self.make(
        ann, Self.observation(ann, 61, at: "2026-02-28T20:00:00Z", code: "40443-4"))
      try await Self.delete(ann, id)
      try await Self.send(
        ann, 61, at: "2026-02-28T20:00:00Z", type: "resting-heart-rate")
      #expect(try await Self.days(ann, .restingHeartRate) == [])
      try await Self.send(
        ann, 58, at: "2026-02-28T07:00:00Z", type: "resting-heart-rate")
      #expect(try await Self.days(ann, .restingHeartRate) == ["2026-02-28 58000 Watch"])
      let again = try await Self.make(
        ann, Self.observation(ann, 61, at: "2026-02-28T20:00:00Z", code: "40443-4"))
      #expect(try await Self.days(ann, .restingHeartRate) == ["2026-02-28 61000 Watch"])
      try await Self.delete(ann, again)
      #expect(try await Self.days(ann, .restingHeartRate) == ["2026-02-28 58000 Watch"])
    }
  }

  @Test func `a removed weight stays away until it is typed again`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      try await Self.send(ann, 70, at: "2026-02-28T07:00:00Z", type: "weight")
      let listed = try await ann.get("/fhir/Observation?code=29463-7").json()
      let id = try #require(listed["entry"]?[0]?["resource"]?["id"]?.string)
      let removed = try await browser.post("/me/health-profile/weights/\(id)/remove", [:])
      #expect(removed.status == .seeOther, "\(removed.status)")
      try await Self.send(ann, 70, at: "2026-02-28T07:00:00Z", type: "weight")
      #expect(try await Self.days(ann, .weight) == [])
    }
  }
}
