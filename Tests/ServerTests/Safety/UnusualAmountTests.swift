// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import Storage
import Testing
import TestSupport

@testable import FHIRAPI
@testable import Plans
@testable import Web

/// Amounts that look like a typing error: people are asked about them, and programs are told.
@Suite struct UnusualAmountTests {
  private static let goserelin = [
    ("name", "Goserelin implant"), ("form", "injection"), ("strength-value", "3.6"),
    ("strength-unit", "mg"), ("dose-value", "1"), ("dose-unit", "microgram"),
    ("schedule", "every-days"), ("days", "28"), ("days-time", "08:00"), ("start", "2026-03-01"),
  ]

  @Test func `the form asks with the numbers, and a checkbox confirms`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let asked = try await house.browser.post("/medicines/new/details", pairs: Self.goserelin)
      #expect(asked.status == .unprocessableContent)
      #expect(asked.text.contains("one unit contains 3.6 mg"), "\(asked.text)")
      let key = String(
        try #require(asked.text.firstMatch(of: /name="bar-tick" value="([^"]+)"/)?.1))
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)
      let other = try await house.browser.post(
        "/medicines/new/details", pairs: Self.goserelin + [("bar-tick", "something-else")])
      #expect(other.status == .unprocessableContent)
      let saved = try await house.browser.post(
        "/medicines/new/details", pairs: Self.goserelin + [("bar-tick", key)])
      #expect(saved.status == .seeOther, "\(saved.text)")
      // Once answered, neither the medicine's page nor an edit asks again.
      let place = try #require(saved.headers[.location])
      #expect(!(try await house.browser.open(place).text.contains("one unit contains")))
      let path = try #require(place.split(separator: "?").first)
      let edited = try await house.browser.post(
        "\(path)/edit", pairs: Self.goserelin + [("version", "1")])
      #expect(edited.status == .seeOther, "\(edited.text)")
    }
  }

  @Test func `doses that are fine one by one are questioned as a day's total`() async throws {
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
      let asked = try await house.browser.post("/medicines/new/details", pairs: fields(five))
      #expect(asked.status == .unprocessableContent)
      let most = Localizer.of(.en).amount(Decimal(4_000), .milligram)
      #expect(asked.text.contains("The doses of one day add up to"), "\(asked.text)")
      #expect(asked.text.contains("more than the daily limit of \(most)"), "\(asked.text)")
      let key = String(
        try #require(asked.text.firstMatch(of: /name="bar-tick" value="([^"]+)"/)?.1))
      let ticked = try await house.browser.post(
        "/medicines/new/details", pairs: fields(five) + [("bar-tick", key)])
      #expect(ticked.status == .seeOther, "\(ticked.text)")
      let saved = try await house.browser.post("/medicines/new/details", pairs: fields(four))
      #expect(!saved.text.contains("The doses of one day add up to"), "\(saved.text)")
    }
  }

  @Test func `a usual amount is saved without a question`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let right = Self.goserelin.map { pair in
        switch pair.0 {
        case "dose-unit": (pair.0, "injection")
        default: pair
        }
      }
      let saved = try await house.browser.post("/medicines/new/details", pairs: right)
      #expect(saved.status == .seeOther, "\(saved.text)")
    }
  }

  private func resource(_ house: DoseHouse, id: String? = nil) -> JSONValue {
    var resource: JSONValue = [
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
    ]
    resource["id"] = id.map(JSONValue.string)
    return resource
  }

  @Test func `a FHIR response reports an unusual amount`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let posted = try await harness.send(
        .post, "/fhir/MedicationRequest", house.token, json: resource(house))
      #expect(posted.status == .created, "\(posted.text)")
      let json = try posted.json()
      let issue = json["contained"]?.array?.first { $0["resourceType"] == "DetectedIssue" }
      #expect(issue?["severity"] == "high", "\(posted.text)")
      let detail = issue?["detail"]?.string ?? ""
      #expect(detail.contains("one unit contains 3.6 mg"), "\(posted.text)")
      let reference = json["detectedIssue"]?[0]?["reference"]?.string
      let own = try #require(issue?["id"]?.string)
      #expect(reference == "#\(own)")
      let id = try #require(json["id"]?.string)
      let stored = try await harness.send(.get, "/fhir/MedicationRequest/\(id)", house.token)
      let kept = try stored.json()
      #expect(kept["contained"] == nil && kept["detectedIssue"] == nil)
    }
  }

  @Test func `the JSON API accepts an unusual amount only if confirmed`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let imported = try await harness.send(
        .post, "/api/v1/imports?accept=true", house.token,
        json: [
          "resourceType": "Bundle", "type": "collection",
          "entry": [
            [
              "fullUrl": "https://h/fhir/MedicationRequest/m1",
              "resource": resource(house, id: "m1"),
            ]
          ],
        ])
      #expect(imported.status == .ok, "\(imported.text)")
      let list = try await harness.send(.get, "/api/v1/proposals", house.token)
      let item = try #require(try list.json()["proposals"]?[0])
      #expect(item["acceptable"] == false)
      let said = item["unusualAmounts"]?[0]?.string ?? ""
      #expect(said.contains("one unit contains 3.6 mg"), "\(list.text)")
      let id = try #require(item["id"]?.string)
      let refused = try await harness.send(.post, "/api/v1/proposals/\(id)/accept", house.token)
      #expect(refused.status == .unprocessableContent)
      #expect(refused.text.contains("one unit contains 3.6 mg"), "\(refused.text)")
      let plans = try await house.count("SELECT COUNT(*) FROM plans")
      #expect(plans == 0)
      // A practitioner's confirmation goes with the proposal; the answer still names the amount.
      try await confirm(ProposalID(id), house)
      let accepted = try await harness.send(.post, "/api/v1/proposals/\(id)/accept", house.token)
      #expect(accepted.status == .ok, "\(accepted.text)")
      let named = try accepted.json()["unusualAmounts"]?[0]?.string
      #expect(named == said)
    }
  }

  /// Stores the confirmation of a proposal's amounts as if its practitioner had ticked them.
  private func confirm(_ proposal: ProposalID, _ house: DoseHouse) async throws {
    let (patient, account) = (house.account.patient, house.account.id)
    let found = AmountFinding.all(in: MedicationRequestView(resource(house)))
    try await house.harness.environment.database.write { writer in
      for finding in found {
        try writer.execute(
          """
          INSERT INTO plan_confirmations (patient, subject, question, made, stated, typed, account,
            by_name) VALUES ($1, $2, $3, 0, $4, $4, $5, 'Doctor')
          """,
          [
            .text(patient), .text(proposal), .text(finding.key), .text(finding.stated),
            .text(account),
          ])
      }
    }
  }

  @Test func `an API client is told, and the medicine's page asks`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      var headers = house.token
      headers[.prefer] = "return=OperationOutcome"
      let posted = try await harness.send(
        .post, "/fhir/MedicationRequest", headers, json: resource(house))
      #expect(posted.status == .created, "\(posted.text)")
      #expect(try posted.json()["issue"]?[0]?["severity"] == "warning")
      #expect(posted.text.contains("3.6 mg"))
      let place = try #require(posted.headers[.location])
      let id = try #require(place.firstMatch(of: /MedicationRequest\/([^\/]+)\//)?.1)
      let page = try await house.browser.open("/medicines/\(id)").text
      #expect(page.contains("one unit contains 3.6 mg") && page.contains("Check the amount"))
    }
  }
}
