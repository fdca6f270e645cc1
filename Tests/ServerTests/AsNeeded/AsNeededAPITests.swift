// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Records
import Testing
import TestSupport

@Suite struct AsNeededAPITests {
  @Test func `the amount left and the next time are shown`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      let address = "/api/v1/as-needed"
      #expect(
        try await harness.send(.get, address, house.token).json() == ["medicines": []])
      let plan = try await house.add(
        "Paracetamol",
        dosage: [
          "asNeededCodeableConcept": ["text": "Headache"],
          "timing": ["repeat": ["frequency": 1, "period": 6, "periodUnit": "h"]],
          "extension": [
            [
              "url": "urn:regimen:limits",
              "extension": [["url": "doses-per-day", "valuePositiveInt": 2]],
            ]
          ],
        ])
      let before = try await harness.send(.get, address, house.token).json()["medicines"]?[0]
      #expect(before?["plan"]?.string == plan.text && before?["medicine"]?.string == "Paracetamol")
      #expect(before?["allowed"]?.bool == true && before?["left"]?.number?.integer == 2)
      #expect(before?["purpose"]?.string == "Headache" && before?["taken"] == nil)
      let taken = try await harness.send(
        .post, "/api/v1/administrations", house.token,
        json: [
          "patient": .string(house.account.patient), "medicine": .string(plan),
          "at": "2026-03-01T06:00:00Z", "taken": true,
        ])
      #expect(taken.status == .created, "\(taken.text)")
      let after = try await harness.send(.get, address, house.token).json()["medicines"]?[0]
      #expect(after?["allowed"]?.bool == false && after?["left"]?.number?.integer == 1)
      #expect(after?["next"]?.string == "2026-03-01T13:00:00+01:00")
      #expect(after?["taken"]?.string == "2026-03-01T07:00:00+01:00")
      #expect(after?["last"]?.bool == true)
      let stranger = try await harness.send(
        .get, "\(address)?patient=someone-else", house.token)
      #expect(stranger.status == .notFound)
    }
  }
}
