// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Localization
import Testing

@testable import Server

/// Amounts that look like a typing error: people are asked about them, and programs are told.
@Suite struct UnusualAmountTests {
  private static let goserelin = [
    ("name", "Goserelin implant"), ("form", "injection"), ("strength-value", "3.6"),
    ("strength-unit", "mg"), ("dose-value", "1"), ("dose-unit", "microgram"),
    ("schedule", "every-days"), ("days", "28"), ("days-time", "08:00"), ("start", "2026-03-01"),
  ]

  @Test func `the form asks with the numbers, and a tick answers`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let asked = try await house.browser.post("/medicines/new", pairs: Self.goserelin)
      #expect(asked.status == .unprocessableContent)
      #expect(asked.text.contains("one unit holds 3.6 mg"), "\(asked.text)")
      let key = String(
        try #require(asked.text.firstMatch(of: /name="bar-tick" value="([^"]+)"/)?.1))
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)
      let other = try await house.browser.post(
        "/medicines/new", pairs: Self.goserelin + [("bar-tick", "something-else")])
      #expect(other.status == .unprocessableContent)
      let saved = try await house.browser.post(
        "/medicines/new", pairs: Self.goserelin + [("bar-tick", key)])
      #expect(saved.status == .seeOther, "\(saved.text)")
      // Once answered, neither the medicine's page nor an edit asks again.
      let place = try #require(saved.headers[.location])
      #expect(!(try await house.browser.open(place).text.contains("one unit holds")))
      let path = try #require(place.split(separator: "?").first)
      let edited = try await house.browser.post(
        "\(path)/edit", pairs: Self.goserelin + [("version", "1")])
      #expect(edited.status == .seeOther, "\(edited.text)")
    }
  }

  @Test func `doses that are fine one by one are asked about as a day`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      func fields(_ times: [String]) -> [(String, String)] {
        [
          ("name", "Paracetamol 500 mg"), ("form", "tablet"), ("dose-value", "2"),
          ("dose-unit", "tablet"), ("schedule", "times"), ("start", "2026-03-01"),
        ] + times.map { ("time", $0) }
      }
      let four = ["08:00", "12:00", "16:00", "20:00"]
      let five = ["06:00", "10:00", "14:00", "18:00", "22:00"]
      let asked = try await house.browser.post("/medicines/new", pairs: fields(five))
      #expect(asked.status == .unprocessableContent)
      let most = Localizer.of(.en).amount(Decimal(4_000), .milligram)
      #expect(asked.text.contains("The doses of one day add up to"), "\(asked.text)")
      #expect(asked.text.contains("more than the \(most)"), "\(asked.text)")
      let key = String(
        try #require(asked.text.firstMatch(of: /name="bar-tick" value="([^"]+)"/)?.1))
      let ticked = try await house.browser.post(
        "/medicines/new", pairs: fields(five) + [("bar-tick", key)])
      #expect(ticked.status == .seeOther, "\(ticked.text)")
      let saved = try await house.browser.post("/medicines/new", pairs: fields(four))
      #expect(!saved.text.contains("The doses of one day add up to"), "\(saved.text)")
    }
  }

  @Test func `the right amount is saved without a question`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let right = Self.goserelin.map { pair in
        switch pair.0 {
        case "dose-unit": (pair.0, "injection")
        default: pair
        }
      }
      let saved = try await house.browser.post("/medicines/new", pairs: right)
      #expect(saved.status == .seeOther, "\(saved.text)")
    }
  }

  @Test func `a program is told, and the page of the medicine asks`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      var headers = house.token
      headers[.prefer] = "return=OperationOutcome"
      let posted = try await harness.send(
        .post, "/fhir/MedicationRequest", headers,
        json: [
          "resourceType": "MedicationRequest", "status": "active", "intent": "order",
          "medicationCodeableConcept": ["text": "Goserelin 3.6 mg implant"],
          "subject": ["reference": .string("Patient/\(house.account.patient)")],
          "dosageInstruction": [
            [
              "timing": [
                "repeat": [
                  "frequency": 1, "period": 28, "periodUnit": "d", "timeOfDay": ["08:00:00"],
                ]
              ],
              "doseAndRate": [["doseQuantity": ["value": 1, "unit": "microgram", "code": "ug"]]],
            ]
          ],
        ])
      #expect(posted.status == .created, "\(posted.text)")
      #expect(try posted.json()["issue"]?[0]?["severity"] == "warning")
      #expect(posted.text.contains("3.6 mg"))
      let place = try #require(posted.headers[.location])
      let id = try #require(place.firstMatch(of: /MedicationRequest\/([^\/]+)\//)?.1)
      let page = try await house.browser.open("/medicines/\(id)").text
      #expect(page.contains("one unit holds 3.6 mg") && page.contains("Check the amount"))
    }
  }
}
