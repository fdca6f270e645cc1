// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import SiteMap
import Testing
import TestSupport

@Suite struct ObservationTests {
  private static func observation(
    _ person: Person, code: JSONValue = "40443-4", value: JSONValue = 61,
    at: JSONValue = "2026-02-28T07:00:00+01:00"
  ) -> JSONValue {
    [
      "resourceType": "Observation", "status": "final",
      "code": ["coding": [["system": "http://loinc.org", "code": code]]],
      "subject": ["reference": .string("Patient/\(person.account.patient)")],
      "effectiveDateTime": at,
      "valueQuantity": [
        "value": value, "unit": "beats/minute", "system": "http://unitsofmeasure.org",
        "code": "/min",
      ], "note": [["text": "kept as it is"]],
    ]
  }

  @Test func `an Observation is stored whole, found and used as a value`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let made = try await ann.post("/fhir/Observation", Self.observation(ann))
      #expect(made.status == .created, "\(made.text)")
      let id = try #require(try made.json()["id"]?.string)
      #expect(try await ann.get("/fhir/Observation/\(id)").json()["note"]?[0]?["text"] != nil)
      let found = try await ann.get(
        "/fhir/Observation?patient=\(ann.account.patient)&code=http://loinc.org|40443-4")
      #expect(try found.json()["total"] == 1, "\(found.text)")
      #expect(try found.json()["entry"]?[0]?["resource"]?["id"]?.string == id)
      #expect(try await ann.get("/fhir/Observation?code=29463-7").json()["total"] == 0)
    }
  }

  @Test func `imported values are found as Observations by page and date`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let readings = (1...9).map { day -> JSONValue in
        [
          "type": "resting-heart-rate", "at": .string("2026-02-0\(day)T07:00:00Z"),
          "value": .number(JSONNumber(50 + day)), "source": "Watch",
        ]
      }
      _ = try await ann.post(
        Address.vitalsAPI,
        [
          "readings": .array(
            readings + [
              [
                "type": "weight", "at": "2026-02-01T07:00:00Z", "value": .decimal("74.5"),
                "source": "Scale",
              ]
            ])
        ])
      let page = try await ann.get("/fhir/Observation?code=40443-4&_count=4").json()
      #expect(page["total"] == 9)
      #expect(page["entry"]?.array?.count == 4)
      #expect(page["entry"]?[0]?["resource"]?["valueQuantity"]?["value"] == 59)
      let next = try #require(page["link"]?[1]?["url"]?.string)
      let path = try #require(next.firstRange(of: "/fhir")).lowerBound
      let second = try await ann.get(String(next[path...])).json()
      #expect(second["entry"]?[0]?["resource"]?["valueQuantity"]?["value"] == 55)
      let dated = try await ann.get("/fhir/Observation?code=40443-4&date=ge2026-02-08").json()
      #expect(dated["total"] == 2)
      let weight = try await ann.get("/fhir/Observation?code=29463-7")
      #expect(weight.text.contains("74.5"))
      let id = try #require(
        try weight.json()["entry"]?[0]?["resource"]?["id"]?.string)
      #expect(try await ann.get("/fhir/Observation/\(id)").status == .ok)
    }
  }

  @Test func `unsupported values are refused, and another's are not found`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      // Any other Observation is kept as it was sent.
      let other = try await ann.post("/fhir/Observation", Self.observation(ann, code: "1-1"))
      #expect(other.status == .created, "\(other.text)")
      #expect(
        try await ann.post("/fhir/Observation", Self.observation(ann, value: 6_000)).status
          == .unprocessableContent)
      #expect(
        try await ann.post(
          "/fhir/Observation", Self.observation(ann, at: "2036-01-01T00:00:00Z")
        ).status == .unprocessableContent)
      #expect(
        try await bob.post("/fhir/Observation", Self.observation(ann)).status == .notFound)
      let made = try await ann.post("/fhir/Observation", Self.observation(ann))
      let id = try #require(try made.json()["id"]?.string)
      #expect(try await bob.get("/fhir/Observation/\(id)").status == .notFound)
    }
  }
}
