// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Records
import SiteMap
import Storage
import Testing
import TestSupport

@testable import Observations
@testable import Web

@Suite struct VitalsAPITests {
  private static func reading(
    _ value: JSONValue, at: JSONValue = "2026-02-28T07:00:00+01:00",
    type: JSONValue = "resting-heart-rate", source: JSONValue = "Watch"
  ) -> JSONValue {
    ["type": type, "at": at, "value": value, "source": source]
  }

  private static func days(_ person: Person, _ metric: VitalMetric = .restingHeartRate)
    async throws -> [String]
  {
    let patient = person.account.patient
    return try await person.harness.environment.database.read { reader in
      try VitalQueries.days(
        metric, of: patient, from: "2020-01-01", to: "2030-01-01", in: reader
      ).map { "\($0.day) \($0.thousandths) \($0.source)" }
    }
  }

  private static func counts(_ answer: TestResponse) throws -> [Int?] {
    let json = try answer.json()
    return ["stored", "replaced", "unchanged"].map { json[$0]?.number?.integer }
  }

  @Test func `a day's value is stored, recognized and replaced by better ones`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let first = try await ann.post(Address.vitalsAPI, ["readings": [Self.reading(61)]])
      #expect(first.status == .ok, "\(first.text)")
      #expect(try Self.counts(first) == [1, 0, 0])
      #expect(
        try Self.counts(try await ann.post(Address.vitalsAPI, ["readings": [Self.reading(61)]]))
          == [0, 0, 1])
      let better = Self.reading(58, at: "2026-02-28T21:00:00+01:00")
      #expect(
        try Self.counts(try await ann.post(Address.vitalsAPI, ["readings": [better]])) == [0, 1, 0])
      // It is late: the earlier value no longer changes anything.
      #expect(
        try Self.counts(try await ann.post(Address.vitalsAPI, ["readings": [Self.reading(61)]]))
          == [0, 0, 1])
      #expect(try await Self.days(ann) == ["2026-02-28 58000 Watch"])
    }
  }

  @Test func `the day follows the sample's own offset`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.post(
        Address.vitalsAPI,
        ["readings": [Self.reading(61, at: "2026-02-27T23:30:00-10:00")]])
      #expect(try await Self.days(ann) == ["2026-02-27 61000 Watch"])
    }
  }

  @Test func `each wrong value is named with its index, and the others are stored`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let answer = try await ann.post(
        Address.vitalsAPI,
        [
          "readings": [
            Self.reading(6_000), Self.reading(60, at: "2036-01-01T00:00:00Z"), Self.reading(60),
            Self.reading(60, at: "soon"), Self.reading(60, type: "mood"), 7,
          ]
        ])
      #expect(answer.status == .ok, "\(answer.text)")
      let skipped = try answer.json()["skipped"]?.array ?? []
      #expect(skipped.map { $0["index"]?.number?.integer } == [0, 1, 3, 4, 5])
      #expect(
        skipped.map { $0["error"]?.string } == ["value", "future", "date", "kind", "structure"])
      #expect(try Self.counts(answer) == [1, 0, 0])
    }
  }

  @Test func `another's patient is not found, and two patients are refused`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let body: JSONValue = [
        "patient": .string(ann.account.patient), "readings": [Self.reading(61)],
      ]
      #expect(try await bob.post(Address.vitalsAPI, body).status == .notFound)
      #expect(
        try await bob.post("\(Address.vitalsAPI)?patient=\(bob.account.patient)", body).status
          == .unprocessableContent)
      #expect(try await Self.days(ann) == [])
      #expect(try await ann.post(Address.vitalsAPI, body).status == .ok)
    }
  }

  @Test(arguments: [[:], 7, ["readings": 7], ["data": [:]], [7]] as [JSONValue])
  func `a body of unknown format stores nothing`(_ body: JSONValue) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let answer = try await ann.post(Address.vitalsAPI, body)
      #expect(answer.status.code < 500)
      let stored: JSONValue? = answer.status == .ok ? try answer.json()["stored"] : 0
      #expect(stored == 0)
    }
  }

  @Test func `medicines from Health Auto Export are recorded once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let body: JSONValue = [
        "data": [
          "metrics": [],
          "medications": [
            [
              "displayText": "Ibuprofen", "start": "2026-02-28 08:00:00 +0100", "status": "Taken",
            ],
            ["displayText": "Ibuprofen", "start": "2026-02-28 09:00:00 +0100", "status": "Pris"],
          ],
        ]
      ]
      for _ in 0..<2 {
        let answer = try await ann.post(Address.vitalsAPI, body)
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(try answer.json()["skipped"]?[0]?["error"] == "status")
      }
      let found = try await ann.get("/fhir/MedicationAdministration").json()
      #expect(found["total"] == 1)
    }
  }
}
