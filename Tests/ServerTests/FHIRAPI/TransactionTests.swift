// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import FHIRAPI
@testable import Web

/// Transactions: all entries take effect, or none.
@Suite struct TransactionTests {
  private static let urn = "urn:uuid:1f0b8a3e-6d1c-4d8e-9b55-0c1f2a3b4c5d"
  private static let other = "urn:uuid:2f0b8a3e-6d1c-4d8e-9b55-0c1f2a3b4c5d"

  private typealias Form = BundleEntryForm

  private static func entries(_ answer: TestResponse) throws -> [JSONValue] {
    #expect(answer.status == .ok, "\(answer.text)")
    let bundle = try answer.json()
    #expect(bundle["type"] == "transaction-response")
    return bundle["entry"]?.array ?? []
  }

  private static func status(_ entry: JSONValue) -> String? {
    entry["response"]?["status"]?.string.map { String($0.prefix(3)) }
  }

  @Test func `references between entries are resolved in any order`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var statement: JSONValue = [
        "resourceType": "MedicationStatement", "status": "active",
        "medicationCodeableConcept": ["text": "Testolol"],
        "subject": ["reference": .string("Patient/\(ann.account.patient)")],
        "basedOn": [["reference": .string(Self.urn)]],
      ]
      statement["identifier"] = [["system": "urn:ietf:rfc:3986", "value": .string(Self.urn)]]
      let answer = try await ann.bundle(
        "transaction",
        [
          Form.entry("POST", "MedicationStatement", statement),
          Form.entry("POST", "MedicationRequest", ann.request(), fullURL: Self.urn),
          Form.entry("GET", "MedicationRequest?status=active"),
        ])
      let entries = try Self.entries(answer)
      #expect(entries.map(Self.status) == ["201", "201", "200"], "\(answer.text)")
      let place = try #require(entries[1]["response"]?["location"]?.string)
      #expect(place.hasPrefix("http://localhost/fhir/MedicationRequest/"))
      #expect(entries[1]["response"]?["etag"] == #"W/"1""#)
      #expect(entries[1]["response"]?["lastModified"]?.string != nil)
      #expect(entries[2]["resource"]?["total"] == 1)
      let stored = try await ann.get("/fhir/MedicationStatement").json()
      let found = try #require(stored["entry"]?[0]?["resource"])
      let reference = try #require(found["basedOn"]?[0]?["reference"]?.string)
      #expect(place.contains("/\(reference)/_history/1"))
      // An identifier is no reference.
      #expect(found["identifier"]?[0]?["value"]?.string == Self.urn)
      // The plan has doses, as if it had been posted by itself.
      #expect(try await ann.doses().count == 1)
    }
  }

  @Test func `a failing entry undoes all others and is named`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let kept = try await ann.post("/fhir/Condition", ann.condition("Kept"))
      let id = try #require(try kept.json()["id"]?.string)
      var wrong = ann.request()
      wrong["status"] = "ACTIVE"
      let answer = try await ann.bundle(
        "transaction",
        [
          Form.entry("POST", "MedicationRequest", ann.request()),
          Form.entry("DELETE", "Condition/\(id)"),
          Form.entry("POST", "MedicationRequest", wrong),
        ])
      try answer.expectOutcome(
        .unprocessableContent, at: "Bundle.entry[2].resource.status")
      #expect(try await ann.count("/fhir/MedicationRequest") == 0)
      #expect(try await ann.get("/fhir/Condition/\(id)").text == kept.text)
      #expect(try await ann.doses().isEmpty)
      let missing = try await ann.bundle(
        "transaction",
        [
          Form.entry("POST", "Condition", ann.condition("Asthma")),
          Form.entry("GET", "Condition/nothing"),
        ])
      try missing.expectOutcome(.notFound, at: "Bundle.entry[1]")
      #expect(try await ann.count("/fhir/Condition") == 1)
    }
  }

  @Test func `conditions of entries are those of single requests`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let first = ann.condition("Asthma", identifier: "1")
      let once: [(String, JSONValue)] = [("ifNoneExist", "identifier=urn:clinic|1")]
      let entry = Form.entry("POST", "Condition", first, fullURL: Self.urn, when: once)
      let made = try await Self.entries(ann.bundle("transaction", [entry]))
      #expect(made.map(Self.status) == ["201"])
      let again = try await Self.entries(
        ann.bundle(
          "transaction",
          [
            entry,
            Form.entry(
              "PUT", "Condition?identifier=urn:clinic%7C2", ann.condition("B", identifier: "2")),
          ]))
      #expect(again.map(Self.status) == ["200", "201"])
      let place = try #require(again[0]["fullUrl"]?.string)
      let address = String(place.dropFirst("http://localhost/fhir/".count))
      let id = String(address.dropFirst("Condition/".count))
      try await ann.bundle(
        "transaction",
        [
          Form.entry(
            "PUT", address, ann.condition("C", id: id), when: [("ifMatch", #"W/"9""#)])
        ]
      ).expectOutcome(.preconditionFailed, at: "Bundle.entry[0]")
      let current = try await Self.entries(
        ann.bundle(
          "transaction",
          [
            Form.entry(
              "PUT", address, ann.condition("C", id: id), when: [("ifMatch", #"W/"1""#)])
          ], [.prefer: "return=representation"]))
      #expect(current[0]["resource"]?["code"]?["text"] == "C")
      let known = try await Self.entries(
        ann.bundle(
          "transaction", [Form.entry("GET", address, when: [("ifNoneMatch", #"W/"2""#)])]))
      #expect(Self.status(known[0]) == "304" && known[0]["resource"] == nil)
    }
  }

  @Test func `a patch is a Binary or a Parameters resource`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.put("/fhir/Condition/c", ann.condition("Asthma", id: "c"))
      let patch = #"[{"op":"replace","path":"/code/text","value":"Gout"}]"#
      func binary(_ type: JSONValue, _ data: String) -> JSONValue {
        ["resourceType": "Binary", "contentType": type, "data": .string(data)]
      }
      let data = Data(patch.utf8).base64EncodedString()
      let entry = Form.entry("PATCH", "Condition/c", binary("application/json-patch+json", data))
      let patched = try await Self.entries(ann.bundle("transaction", [entry]))
      #expect(patched.map(Self.status) == ["200"])
      #expect(try await ann.get("/fhir/Condition/c").json()["code"]?["text"] == "Gout")
      for wrong in [
        binary("text/plain", data), binary("application/json-patch+json", "#"),
        ann.condition("Asthma"),
      ] {
        let refused = try await ann.bundle(
          "transaction", [Form.entry("PATCH", "Condition/c", wrong)])
        try refused.expectOutcome(.badRequest)
      }
      #expect(try await ann.get("/fhir/Condition/c").headers[.eTag] == #"W/"2""#)
    }
  }

  @Test func `a patient and a plan can come together`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let system = try await ann.asSystem()
      var request = ann.request()
      request["subject"] = ["reference": .string(Self.urn)]
      request["requester"] = ["reference": "Practitioner?identifier=urn:doctors|1"]
      let patient: JSONValue = ["resourceType": "Patient", "name": [["family": "Bee"]]]
      let doctor: JSONValue = [
        "resourceType": "Practitioner", "name": [["family": "Who"]],
        "identifier": [["system": "urn:doctors", "value": "1"]],
      ]
      let bundle = [
        Form.entry("POST", "MedicationRequest", request),
        Form.entry("POST", "Patient", patient, fullURL: Self.urn),
      ]
      try await system.bundle("transaction", bundle)
        .expectOutcome(.preconditionFailed, at: "Bundle.entry[0].resource")
      _ = try await system.post("/fhir/Practitioner", doctor)
      let entries = try await Self.entries(
        system.bundle("transaction", bundle, [.prefer: "return=representation"]))
      #expect(entries.map(Self.status) == ["201", "201"])
      let made = try #require(entries[1]["resource"]?["id"]?.string)
      #expect(entries[0]["resource"]?["subject"]?["reference"]?.string == "Patient/\(made)")
      let requester = entries[0]["resource"]?["requester"]?["reference"]?.string
      #expect(requester?.hasPrefix("Practitioner/") == true && requester?.contains("?") == false)
    }
  }

  @Test func `mistakes of the Bundle itself are refused`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let condition = ann.condition("Asthma", id: "c")
      func refuse(
        _ entries: [JSONValue], _ status: HTTPResponse.Status = .badRequest, at place: String
      ) async throws {
        try await ann.bundle("transaction", entries).expectOutcome(status, at: place)
      }
      let put = Form.entry("PUT", "Condition/c", condition)
      try await refuse([put, put], at: "Bundle.entry[1].request.url")
      try await refuse(
        [put, Form.entry("DELETE", "Condition/c")], at: "Bundle.entry[1].request.url")
      try await refuse([["resource": condition]], at: "Bundle.entry[0].request")
      try await refuse(
        [Form.entry("MERGE", "Condition", condition)], at: "Bundle.entry[0].request.method")
      try await refuse(
        [Form.entry("POST", "Condition/c", condition)], at: "Bundle.entry[0].request.url")
      try await refuse([Form.entry("POST", "Condition")], at: "Bundle.entry[0].resource")
      try await refuse(
        [Form.entry("POST", "Condition", ann.request())],
        at: "Bundle.entry[0].resource.resourceType")
      try await refuse(
        [Form.entry("POST", "Nonsense", condition)], .notFound, at: "Bundle.entry[0]")
      var lost = condition
      lost["asserter"] = ["reference": .string(Self.other)]
      try await refuse(
        [Form.entry("POST", "Condition", lost)], at: "Bundle.entry[0].resource")
      try await refuse(
        [
          Form.entry("POST", "Condition", condition, fullURL: Self.urn),
          Form.entry("POST", "Condition", condition, fullURL: Self.urn),
        ], at: "Bundle.entry[1].fullUrl")
      try await ann.bundle("document", []).expectOutcome(.badRequest, at: "Bundle.type")
      try await ann.post("/fhir", condition).expectOutcome(.badRequest, at: "resourceType")
      let many = [JSONValue](repeating: put, count: 1_001)
      try await ann.bundle("transaction", many).expectOutcome(.contentTooLarge)
      #expect(try await ann.count("/fhir/Condition") == 0)
    }
  }

  @Test func `the same key answers again without a second effect`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let entries = [Form.entry("POST", "MedicationRequest", ann.request())]
      let headers: HTTPFields = [.idempotencyKey: "k1"]
      let first = try await ann.bundle("transaction", entries, headers)
      let second = try await ann.bundle("transaction", entries, headers)
      #expect(first.status == .ok && first.text == second.text)
      #expect(try await ann.count("/fhir/MedicationRequest") == 1)
    }
  }
}
