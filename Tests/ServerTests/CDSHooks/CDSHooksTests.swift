// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import FHIRAPI
@testable import Operations
@testable import Web

/// Decision support for other systems: access and cards.
@Suite struct CDSHooksTests {
  private static let sign = "/cds-services/regimen-order-sign"
  private static let select = "/cds-services/regimen-order-select"
  private static let view = "/cds-services/regimen-patient-view"

  @Test func `anyone may read the list of services`() async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.send(.get, "/cds-services")
      #expect(answer.status == .ok && answer.mediaType == "application/json")
      let services = try #require(try answer.json()["services"]?.array)
      #expect(
        services.map { [$0["id"], $0["hook"]].compactMap { $0?.string } } == [
          ["regimen-order-select", "order-select"], ["regimen-order-sign", "order-sign"],
          ["regimen-patient-view", "patient-view"],
        ])
      for service in services {
        #expect(service["description"]?.string?.isEmpty == false)
        #expect(service["title"]?.string?.isEmpty == false)
      }
      #expect(
        services[0]["prefetch"]?["patient"]?.string == "Patient/{{context.patientId}}")
      #expect(services[2]["prefetch"] == nil)
    }
  }

  @Test func `a dangerous order gives a card in the form of the standard`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let system = try await CDSSystem.make(harness, for: ann.account)
      _ = try await ann.plan("Warfarin 3 mg")
      let body = CDSSystem.body(
        "order-sign", ann.account.patient.text, orders: [CDSSystem.order("Ibuprofen", id: "o1")])
      let cards = try await system.post(Self.sign, body).cards()
      let card = try #require(cards.first { $0.summary.contains("Warfarin 3 mg with Ibuprofen") })
      #expect(card.summary.utf16.count < 140)
      #expect(card["indicator"] == "warning")
      #expect(UUID(uuidString: card["uuid"]?.string ?? "") != nil)
      #expect(card["detail"]?.string?.contains("serious bleeding") == true)
      #expect(card["source"]?["label"] == "Regimen")
      #expect(card["source"]?["url"]?.string == harness.environment.baseURL)
      let reasons = try #require(card["overrideReasons"]?.array)
      #expect(
        reasons.map { $0["code"]?.string } == [
          "benefit", "monitored", "tolerated", "inapplicable", "other",
        ])
      #expect(reasons.allSatisfy { $0["display"]?.string?.isEmpty == false })
      #expect(Set(cards.map { $0["uuid"]?.string }).count == cards.count)
      // Nothing of the order is stored.
      #expect(try await ann.get("/fhir/MedicationRequest").json()["total"] == 1)
    }
  }

  @Test func `duplicates, allergies and amounts are found as on the pages`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let patient = ann.account.patient.text
      _ = try await ann.plan("Ibuprofen 400 mg")
      let allergy = try await ann.post(
        "/fhir/AllergyIntolerance",
        [
          "resourceType": "AllergyIntolerance",
          "clinicalStatus": [
            "coding": [
              [
                "system": "http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical",
                "code": "active",
              ]
            ]
          ],
          "code": ["text": "Amoxicillin"], "patient": ["reference": .string("Patient/\(patient)")],
        ])
      #expect(allergy.status == .created, "\(allergy.text)")
      let orders = [
        CDSSystem.order("Ibuprofen 200 mg", id: "a"),
        CDSSystem.order("Amoxicillin 500 mg", id: "b"),
        CDSSystem.order("Testolol", id: "c", amount: 300),
      ]
      let body = CDSSystem.body("order-sign", patient, orders: orders)
      let cards = try await ann.post(Self.sign, body).cards()
      let summaries = cards.map(\.summary)
      #expect(summaries.contains { $0.contains("both contain") }, "\(summaries)")
      #expect(summaries.contains { $0.contains("allergy list") }, "\(summaries)")
      #expect(summaries.contains { $0.hasPrefix("Testolol: ") }, "\(summaries)")
      let order = ["critical": 0, "warning": 1, "info": 2]
      let ranks = cards.map { order[$0["indicator"]?.string ?? ""] ?? 9 }
      #expect(ranks == ranks.sorted())
      // The last card says what was not checked, and needs no reason.
      let last = try #require(cards.last)
      #expect(last.summary == "Not everything could be checked")
      #expect(last["overrideReasons"] == nil)
      #expect(last["detail"]?.string?.contains("Testolol") == true)
    }
  }

  @Test func `selected orders are checked together with all others`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let orders = [
        CDSSystem.order("Warfarin 3 mg", id: "a"), CDSSystem.order("Ibuprofen", id: "b"),
        CDSSystem.order("Testolol", id: "c"),
      ]
      func cards(_ selections: [String]) async throws -> [String] {
        let body = CDSSystem.body(
          "order-select", ann.account.patient.text, orders: orders, selections: selections)
        return try await ann.post(Self.select, body).cards().map(\.summary)
      }
      #expect(try await cards(["MedicationRequest/b"]).contains { $0.contains("Warfarin") })
      #expect(try await cards(["MedicationRequest/c"]) == [])
      #expect(try await cards([]) == [])
      // A finding about two selected orders is one card.
      let both = try await cards(["MedicationRequest/a", "MedicationRequest/b"])
      #expect(both.count { $0.contains("Warfarin 3 mg with Ibuprofen") } == 1, "\(both)")
    }
  }

  @Test func `a record opens with adherence, medicines and warnings`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let body = CDSSystem.body("patient-view", ann.account.patient.text)
      let empty = try await ann.post(Self.view, body).cards()
      #expect(empty.map(\.summary) == ["No doses due in the last 30 days"])
      let warfarin = try await ann.newDose("Warfarin 3 mg")
      _ = try await ann.plan("Ibuprofen", timing: Person.timing("20:00:00"))
      harness.clock.advance(minutes: 61)
      let answered = try await ann.answer(warfarin, ["action": "taken"])
      #expect(answered.status == .ok, "\(answered.text)")
      let cards = try await ann.post(Self.view, body).cards()
      #expect(cards.count == 1)
      #expect(cards[0].summary == "1 of 1 doses taken in the last 30 days (100%)")
      #expect(cards[0]["indicator"] == "warning")
      let detail = try #require(cards[0]["detail"]?.string)
      #expect(detail.contains("Warfarin 3 mg") && detail.contains("\n- Severe: "), "\(detail)")
    }
  }

  // MARK: Access

  @Test func `a call needs a token, and a token is used once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let system = try await CDSSystem.make(harness, for: ann.account)
      let body = CDSSystem.body("patient-view", ann.account.patient.text)
      try await harness.send(.post, Self.view, json: body).expectProblem(.unauthorized, "login")
      let browser = try await harness.session(of: ann.account)
      try await harness.send(.post, Self.view, browser.headers, json: body)
        .expectProblem(.unauthorized, "login")
      for wrong in ["Bearer x", "Bearer rgt_nonsense", "Basic eA==", "Bearer a.b.c"] {
        try await harness.send(.post, Self.view, [.authorization: wrong], json: body)
          .expectProblem(.unauthorized, "login")
      }
      let token = try system.token(for: Self.view, id: "once")
      let headers: HTTPFields = [.authorization: "Bearer \(token)"]
      #expect(try await harness.send(.post, Self.view, headers, json: body).cards().count == 1)
      let again = try await harness.send(.post, Self.view, headers, json: body)
      try again.expectProblem(.unauthorized, "login")
      #expect(again.text.contains("replayed"))
      // A token for another service, although the request asks for its host.
      let other = try system.token(for: Self.sign)
      try await harness.send(.post, Self.view, [.authorization: "Bearer \(other)"], json: body)
        .expectProblem(.unauthorized, "login")
      let phone = try await harness.token(of: ann.account, scope: .vitals)
      try await harness.send(.post, Self.view, phone, json: body).expectProblem(.forbidden)
      let reading = try await harness.token(of: ann.account, scope: .userReading)
      #expect(try await harness.send(.post, Self.view, reading, json: body).cards().count == 1)
    }
  }

  @Test func `no one learns who has a record`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      _ = try await ann.plan("Warfarin 3 mg")
      for patient in [ann.account.patient.text, "nobody"] {
        let view = try await bob.post(Self.view, CDSSystem.body("patient-view", patient))
        #expect(try view.cards() == [])
        let orders = [CDSSystem.order("Ibuprofen")]
        let plain = CDSSystem.body("order-sign", patient, orders: orders)
        #expect(try await bob.post(Self.sign, plain).cards() == [])
        // Statements of the caller are checked too.
        let prefetch: JSONValue = [
          "patient": ["resourceType": "Patient", "birthDate": "1960-05-04"],
          "medications": [
            "resourceType": "Bundle", "type": "searchset",
            "entry": [["resource": CDSSystem.order("Warfarin 5 mg", id: "x")]],
          ],
        ]
        let stated = CDSSystem.body("order-sign", patient, orders: orders, prefetch: prefetch)
        let cards = try await bob.post(Self.sign, stated).cards()
        #expect(cards.contains { $0.summary.contains("Warfarin 5 mg") }, "\(cards.map(\.summary))")
        #expect(!cards.contains { $0.summary.contains("Warfarin 3 mg") })
      }
    }
  }

  @Test func `a system with every patient's data reaches others, and the access log says so`()
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      _ = try await ann.plan("Warfarin 3 mg")
      let system = try await CDSSystem.make(harness, for: bob.account, reachesEveryPatient: true)
      let body = CDSSystem.body(
        "order-sign", ann.account.patient.text, orders: [CDSSystem.order("Ibuprofen")])
      let cards = try await system.post(Self.sign, body).cards()
      #expect(cards.contains { $0.summary.contains("Warfarin 3 mg with Ibuprofen") })
      let log = try await ann.get("/api/v1/audit?patient=\(ann.account.patient)&\(Person.today)")
      #expect(log.text.contains("Bob"), "\(log.text)")
    }
  }

  @Test func `feedback is recorded without comments`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let system = try await CDSSystem.make(harness, for: ann.account)
      let card = "9368d37b-283f-44a0-93ea-547cebab93ed"
      let path = "\(Self.sign)/feedback"
      let answer = try await system.post(
        path,
        [
          "feedback": [
            [
              "card": .string(card), "outcome": "overridden",
              "overrideReason": ["reason": ["code": "monitored"], "userComment": "Private words"],
              "outcomeTimestamp": "2026-03-01T07:00:00Z",
            ]
          ]
        ])
      #expect(answer.status == .ok, "\(answer.text)")
      let ids = try await harness.environment.database.read { reader in
        try reader.query("SELECT resource_id FROM audit WHERE resource = 'CDSFeedback'", []).map {
          try $0.text(0)
        }
      }
      #expect(ids == ["regimen-order-sign \(card) overridden monitored"])
      for body in [
        "{}", #"{"feedback":[]}"#, #"{"feedback":[{}]}"#,
        #"{"feedback":[{"card":"x","outcome":"accepted","outcomeTimestamp":"2026"}]}"#,
        #"{"feedback":[{"card":"9368d37b-283f-44a0-93ea-547cebab93ed","outcome":"seen","outcomeTimestamp":"2026"}]}"#,
        #"{"feedback":[{"card":"9368d37b-283f-44a0-93ea-547cebab93ed","outcome":"accepted"}]}"#,
      ] {
        try await system.post(path, JSONValue(parsing: body)).expectProblem(.badRequest, "value")
      }
      try await harness.send(.post, path, json: [:]).expectProblem(.unauthorized)
      try await ann.post("/cds-services/none/feedback", [:]).expectProblem(.notFound)
    }
  }
}
