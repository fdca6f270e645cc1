// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@testable import Diary
@testable import Web

/// The diary in the JSON API.
@Suite struct DiaryAPITests {
  private static let path = "/api/v1/diary/entries"

  private static func decimal(_ text: String) -> JSONValue {
    JSONNumber(text: text).map(JSONValue.number) ?? .null
  }

  @Test func `entries are added, listed, corrected and deleted`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let trackers = try await ann.get("/api/v1/diary/trackers").json()["trackers"]?.array ?? []
      #expect(trackers.count == StandardTracker.allCases.count)
      #expect(trackers.allSatisfy { $0["inUse"]?.bool == false })
      let key: HTTPFields = [.idempotencyKey: "6f1c7a34-2f2b-4a83-9a53-000000000001"]
      let body: JSONValue = [
        "tracker": "glucose", "value": Self.decimal("5.6"), "unit": "mmol/L",
        "at": "2026-03-01T06:30:00+00:00", "note": "Before breakfast",
      ]
      let added = try await ann.post(Self.path, body, key)
      #expect(added.status == .created, "\(added.text)")
      let entry = try added.json()
      #expect(entry["value"]?.number?.text == "5.6" && entry["unit"]?.string == "mmol/L")
      let again = try await ann.post(Self.path, body, key)
      #expect(try again.json()["id"] == entry["id"])
      let listed = try await ann.get("\(Self.path)?tracker=glucose").json()["entries"]?.array
      #expect(listed == [entry])
      let id = try #require(entry["id"]?.string)
      let changed = try await ann.put(
        "\(Self.path)/\(id)", ["value": Self.decimal("5.8"), "unit": "mmol/L"])
      #expect(changed.status == .ok, "\(changed.text)")
      #expect(try changed.json()["at"] == entry["at"])
      let fhir = try await ann.get("/fhir/Observation/\(id)").json()
      #expect(fhir["valueQuantity"]?["value"]?.number?.text == "5.8")
      #expect(fhir["code"]?["coding"]?[0]?["code"]?.string == "15074-8")
      let removed = try await harness.send(.delete, "\(Self.path)/\(id)", ann.token)
      #expect(removed.status == .ok, "\(removed.text)")
      #expect(try await ann.get(Self.path).json()["entries"]?.array == [])
    }
  }

  @Test func `every kind of value`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bodies: [JSONValue] = [
        ["tracker": "mood", "value": 7],
        ["tracker": "note", "value": "Better"],
        ["tracker": "symptom", "value": "Dizzy", "strength": 4],
        ["tracker": "blood-pressure", "systolic": 128, "diastolic": 79],
        ["tracker": "pulse", "value": 61],
        ["tracker": "weight", "value": Self.decimal("71.5"), "unit": "kg"],
      ]
      for body in bodies {
        let added = try await ann.post(Self.path, body)
        #expect(added.status == .created, "\(added.text)")
        let entry = try added.json()
        for (name, value) in body.object ?? JSONObject() {
          #expect(entry[name] == value, "\(name) of \(body.text)")
        }
      }
      let listed = try await ann.get(Self.path).json()["entries"]?.array
      #expect(listed?.count == bodies.count)
    }
  }

  @Test func `what is wrong is refused`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let wrong: [(JSONValue, String)] = [
        (["tracker": "mood"], "value"),
        (["tracker": "mood", "value": "good"], "value"),
        (["tracker": "mood", "value": 11], "impossible"),
        (["tracker": "glucose", "value": Self.decimal("5.6")], "value"),
        (["tracker": "glucose", "value": Self.decimal("5.6"), "unit": "kg"], "value"),
        (["tracker": "temperature", "value": 42, "unit": "Cel"], "unlikely"),
        (["tracker": "mood", "value": 3, "at": "2026-03-02T07:00:00Z"], "value"),
        (["tracker": "mood", "value": 3, "at": "today"], "value"),
        (["value": 3], "value"),
      ]
      for (body, code) in wrong {
        let answer = try await ann.post(Self.path, body)
        #expect(answer.status == .unprocessableContent, "\(body.text): \(answer.text)")
        #expect(try answer.json()["code"]?.string == code, "\(body.text)")
      }
      let reason: JSONValue = [
        "tracker": "temperature", "value": 42, "unit": "Cel", "reason": "Measured twice",
      ]
      #expect(try await ann.post(Self.path, reason).status == .created)
      let unknown = try await ann.post(Self.path, ["tracker": "none", "value": 1])
      #expect(unknown.status == .notFound)
      #expect(try await ann.get("\(Self.path)?tracker=none").status == .notFound)
      #expect(try await ann.get("\(Self.path)?limit=0").status == .unprocessableContent)
      #expect(try await ann.put("\(Self.path)/none", ["value": 1]).status == .notFound)
    }
  }

  @Test func `another account sees and changes nothing`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let added = try await ann.post(Self.path, ["tracker": "mood", "value": 2])
      let id = try #require(try added.json()["id"]?.string)
      let bob = try await Person.make(harness, "Bob")
      let patient = ann.account.patient
      #expect(try await bob.get("\(Self.path)?patient=\(patient)").status == .notFound)
      let written = try await bob.post(
        Self.path, ["patient": .string(patient.text), "tracker": "mood", "value": 2])
      #expect(written.status == .notFound)
      #expect(try await bob.put("\(Self.path)/\(id)", ["value": 9]).status == .notFound)
      let deleted = try await harness.send(.delete, "\(Self.path)/\(id)", bob.token)
      #expect(deleted.status == .notFound)
      #expect(try await ann.get(Self.path).json()["entries"]?[0]?["value"]?.number?.integer == 2)
    }
  }
}
