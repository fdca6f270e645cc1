// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Observations
import Records
import Storage
import Testing
import TestSupport

@testable import Web

/// The diary and the other measurements are shared one without the other, also over FHIR.
@Suite struct DiarySharingTests {
  /// A person with a pain of the diary and a laboratory result, and Bob, who reads what is shared.
  private struct World {
    let harness: ServerHarness
    let ann: Person
    let pain: String
    let sodium: String
    let bob: Account
    let token: HTTPFields

    init(_ harness: ServerHarness) async throws {
      self.harness = harness
      ann = try await Person.make(harness)
      let patient = ann.account.patient
      let entry = try await ann.post(
        "/api/v1/diary/entries",
        ["patient": .string(patient), "tracker": "pain", "value": 7, "note": "A secret"])
      pain = try #require(try entry.json()["id"]?.string, "\(entry.text)")
      let result = try await ann.post(
        "/fhir/Observation",
        [
          "resourceType": "Observation", "status": "final", "code": ["text": "Sodium"],
          "subject": ["reference": .string("Patient/\(patient)")], "valueString": "140",
        ])
      sodium = try #require(try result.json()["id"]?.string, "\(result.text)")
      bob = try await harness.makeAccount("Bob")
      token = try await harness.token(of: bob)
    }

    func share(_ categories: Set<DataCategory>) async throws {
      let (accounts, patient, bob) = (harness.environment.accounts, ann.account.patient, bob.id)
      let before = harness.clock.now.adding(milliseconds: -1_000)
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .family, of: patient, to: bob, from: before, categories: categories, by: "account",
          in: writer)
      }
      harness.environment.sessions.forget()
    }

    func get(_ path: String) async throws -> TestResponse {
      try await harness.send(.get, path, token)
    }

    /// Returns the ids and the total of a search.
    func search(_ query: String) async throws -> (ids: [String], total: Int?) {
      let answer = try await get("/fhir/Observation?\(query)")
      #expect(answer.status == .ok, "\(answer.text)")
      let bundle = try answer.json()
      let ids = (bundle["entry"]?.array ?? []).compactMap { $0["resource"]?["id"]?.string }
      return (ids.sorted(), bundle["total"]?.number?.integer)
    }
  }

  @Test func `each category shows its own Observations, in searches, counts and histories`()
    async throws
  {
    try await ServerHarness.run { harness in
      let world = try await World(harness)
      let patient = world.ann.account.patient
      let cases: [(category: DataCategory, shown: String, hidden: String)] = [
        (.heartRate, world.sodium, world.pain), (.diary, world.pain, world.sodium),
      ]
      for (category, shown, hidden) in cases {
        try await world.share([category])
        for query in ["patient=\(patient)", "", "_id=\(world.pain),\(world.sodium)"] {
          let found = try await world.search(query)
          #expect(found.ids == [shown], "\(category) \(query)")
          #expect(found.total == 1, "\(category) \(query)")
        }
        #expect(try await world.search("_summary=count").total == 1)
        #expect(try await world.search("patient=\(patient)&_id=\(hidden)").ids.isEmpty)
        #expect(try await world.get("/fhir/Observation/\(shown)").status == .ok)
        #expect(try await world.get("/fhir/Observation/\(shown)/_history").status == .ok)
        for path in ["", "/_history", "/_history/1"] {
          let answer = try await world.get("/fhir/Observation/\(hidden)\(path)")
          #expect(answer.status == .notFound, "\(category) \(path)")
        }
        for path in [
          "/fhir/Observation/_history", "/fhir/Patient/\(patient)/$everything",
          "/fhir/Patient/\(patient)/Observation",
          "/fhir/Patient?_id=\(patient)&_revinclude=Observation:subject",
        ] {
          let answer = try await world.get(path)
          #expect(answer.status == .ok, "\(category) \(path): \(answer.text)")
          #expect(answer.text.contains(shown), "\(category) \(path)")
          #expect(!answer.text.contains(hidden), "\(category) \(path)")
        }
      }
      try await world.share([.heartRate, .diary])
      #expect(try await world.search("patient=\(patient)").total == 2)
      try await world.share([.medicines])
      #expect(try await world.get("/fhir/Observation/\(world.pain)").status == .notFound)
    }
  }

  @Test func `the API of the diary needs the diary, that of the heart rate the heart rate`()
    async throws
  {
    try await ServerHarness.run { harness in
      let world = try await World(harness)
      let patient = world.ann.account.patient
      let cases:
        [(category: DataCategory, diary: HTTPResponse.Status, heart: HTTPResponse.Status)] =
          [(.heartRate, .notFound, .ok), (.diary, .ok, .notFound)]
      for (category, diary, heart) in cases {
        try await world.share([category])
        for path in ["trackers", "entries"] {
          let answer = try await world.get("/api/v1/diary/\(path)?patient=\(patient)")
          #expect(answer.status == diary, "\(category) \(path)")
        }
        let answer = try await world.get("/api/v1/heart?patient=\(patient)")
        #expect(answer.status == heart, "\(category): \(answer.text)")
      }
    }
  }

  @Test func `a weight of the diary and one of a scale are each seen with their own category`()
    async throws
  {
    try await ServerHarness.run { harness in
      let world = try await World(harness)
      let patient = world.ann.account.patient
      let entry = try await world.ann.post(
        "/api/v1/diary/entries",
        [
          "patient": .string(patient), "tracker": "weight", "value": 91, "unit": "kg",
        ])
      let typed = try #require(try entry.json()["id"]?.string, "\(entry.text)")
      let day = "2026-01-05"
      let sent = try await world.ann.post(
        "/fhir/Observation",
        [
          "resourceType": "Observation", "status": "final",
          "code": ["coding": [["system": "http://loinc.org", "code": "29463-7"]]],
          "subject": ["reference": .string("Patient/\(patient)")],
          "effectiveDateTime": .string("\(day)T08:00:00Z"), "device": ["display": "Scale"],
          "valueQuantity": [
            "value": 84, "unit": "kg", "system": "http://unitsofmeasure.org", "code": "kg",
          ],
        ])
      let measured = try #require(try sent.json()["id"]?.string, "\(sent.text)")
      let cases: [(category: DataCategory, shown: String, hidden: String)] = [
        (.heartRate, measured, typed), (.diary, typed, measured),
      ]
      for (category, shown, hidden) in cases {
        try await world.share([category])
        for query in ["patient=\(patient)", "code=29463-7", "_id=\(typed),\(measured)"] {
          let found = try await world.search(query).ids
          #expect(found.contains(shown), "\(category) \(query)")
          #expect(!found.contains(hidden), "\(category) \(query)")
        }
        #expect(try await world.search("code=29463-7").total == 1, "\(category)")
        #expect(try await world.get("/fhir/Observation/\(shown)").status == .ok)
        #expect(try await world.get("/fhir/Observation/\(hidden)").status == .notFound)
        let everything = try await world.get("/fhir/Patient/\(patient)/$everything")
        #expect(everything.text.contains(shown), "\(category)")
        #expect(!everything.text.contains(hidden), "\(category)")
      }
      // The pages read the days of both: without the diary, only that of the scale.
      try await harness.environment.database.read { reader in
        let expected: [(part: ObservationPart, weights: [String])] = [
          (.either, ["91", "84"]), (.measurements, ["84"]), (.diary, []),
        ]
        for (part, weights) in expected {
          let found = try HealthProfileQueries.weights(patient, part: part, in: reader)
          #expect(found.map(\.kilograms) == weights, "\(part)")
          let sources = try VitalQueries.sources(patient, part: part, in: reader)
            .filter { $0.metric == .weight }
          #expect(sources.count == weights.count, "\(part)")
          for source in sources {
            let days = try VitalQueries.days(
              of: source, patient: patient, from: "2000-01-01", to: "2100-01-01", part: part,
              in: reader)
            #expect(days.count == 1, "\(part)")
          }
        }
      }
    }
  }

  @Test func `an entry that was deleted is gone for its owner, and unknown to others`()
    async throws
  {
    try await ServerHarness.run { harness in
      let world = try await World(harness)
      try await world.share([.heartRate])
      let path = "/api/v1/diary/entries/\(world.pain)"
      let deleted = try await harness.send(.delete, path, world.ann.token)
      #expect(deleted.status == .ok, "\(deleted.text)")
      #expect(try await world.ann.get("/fhir/Observation/\(world.pain)").status == .gone)
      #expect(try await world.get("/fhir/Observation/\(world.pain)").status == .notFound)
    }
  }
}
