// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

/// The proposal of fewer times a day, for programs.
@Suite struct SimplificationAPITests {
  private static let path = "/api/v1/intake-times"

  private static func texts(_ value: JSONValue?) -> [String] {
    (value?.array ?? []).compactMap(\.string)
  }

  @Test func `the proposal lists times, unmet rules and excluded medicines`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      for (name, times) in [
        ("Levothyroxine", ["07:30:00"]), ("Calcium carbonate", ["09:00:00", "20:30:00"]),
        ("Metoprolol", ["08:00:00", "20:00:00"]), ("Ramipril", ["08:45:00"]),
      ] {
        try await house.add(
          name,
          dosage: ["timing": ["repeat": ["timeOfDay": .array(times.map(JSONValue.string))]]])
      }
      try await house.add("Metformin", dosage: ["timing": ["repeat": ["when": ["CM"]]]])
      let found = try await harness.send(.get, Self.path, house.token)
      #expect(found.status == .ok, "\(found.text)")
      let json = try found.json()
      #expect(json["patient"]?.string == house.account.patient.text)
      #expect(json["exhaustive"]?.bool == true)
      #expect(
        Self.texts(json["before"]) == ["07:30", "08:00", "08:45", "09:00", "20:00", "20:30"])
      #expect(Self.texts(json["after"]) == ["07:00", "07:30", "11:00", "20:00"])
      let medicines = json["medicines"]?.array ?? []
      let proposed = medicines.map {
        ($0["medicine"]?.string ?? "", Self.texts($0["proposed"]))
      }
      #expect(proposed.first { $0.0 == "Levothyroxine" }?.1 == ["07:00"])
      #expect(proposed.first { $0.0 == "Calcium carbonate" }?.1 == ["11:00", "20:00"])
      let kept = medicines.first { $0["medicine"]?.string == "Metformin" }
      #expect(kept?["kept"]?.string == "event" && Self.texts(kept?["proposed"]) == ["07:30"])
      let unkept = json["unkept"]?.array ?? []
      #expect(unkept.count == 2 && unkept.allSatisfy { $0["mended"]?.bool == true })
      let pair = unkept.first { Self.texts($0["medicines"]).count == 2 }
      #expect(pair?["distance"]?.number?.integer == 90)
      #expect(pair?["text"]?.string?.contains("at least 4 hours after Levothyroxine") == true)
      // The request changed nothing.
      let again = try await harness.send(.get, Self.path, house.token).json()
      #expect(again == json)
    }
  }

  @Test func `without medicines it is empty, and others' are not found`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let none = try await harness.send(.get, Self.path, house.token).json()
      #expect(none["medicines"]?.array?.isEmpty == true && Self.texts(none["after"]).isEmpty)
      let other = try await harness.token(of: try await harness.makeAccount("Bob"))
      let foreign = try await harness.send(
        .get, "\(Self.path)?patient=\(house.account.patient)", other)
      #expect(foreign.status == .notFound)
    }
  }
}
