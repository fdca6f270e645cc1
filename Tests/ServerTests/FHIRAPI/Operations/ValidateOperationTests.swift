// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TestSupport

@testable import FHIRAPI

@Suite struct ValidateOperationTests {
  @Test func `a valid resource has no issues and is not stored`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let answer = try await ann.post("/fhir/MedicationRequest/$validate", ann.request("Testolol"))
      try answer.expectOutcome(.ok, "informational")
      #expect(try await ann.get("/fhir/MedicationRequest").json()["total"] == 0)
    }
  }

  @Test func `faults are reported with their place`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var request = ann.request("Testolol")
      request["status"] = "sleeping"
      let answer = try await ann.post("/fhir/MedicationRequest/$validate", request)
      try answer.expectOutcome(.ok, "code-invalid", at: "MedicationRequest.status")
      let other = try await ann.post("/fhir/Patient/$validate", request)
      try other.expectOutcome(.ok, "structure")
    }
  }

  @Test func `a resource may come in Parameters with a mode`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      func parameters(_ mode: String) -> JSONValue {
        [
          "resourceType": "Parameters",
          "parameter": [
            ["name": "mode", "valueCode": .string(mode)],
            ["name": "resource", "resource": ann.request("Testolol")],
          ],
        ]
      }
      let address = "/fhir/MedicationRequest/$validate"
      try await ann.post(address, parameters("create")).expectOutcome(.ok, "informational")
      try await ann.post(address, parameters("profile")).expectOutcome(.ok, "informational")
      try await ann.post(address, parameters("update"))
        .expectOutcome(.ok, "required", at: "MedicationRequest.id")
      try await ann.post(address, parameters("destroy"))
        .expectOutcome(.badRequest, "value", at: "mode")
      try await ann.post(address, parameters("delete"))
        .expectOutcome(.badRequest, "required", at: "mode")
    }
  }

  @Test func `the id must match the address`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/MedicationRequest/one/$validate"
      try await ann.post(address, ann.request(id: "one")).expectOutcome(.ok, "informational")
      try await ann.post(address, ann.request(id: "two"))
        .expectOutcome(.ok, "value", at: "MedicationRequest.id")
    }
  }

  @Test func `derived types can't be written or deleted`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let team: JSONValue = [
        "resourceType": "CareTeam",
        "subject": ["reference": .string("Patient/\(ann.account.patient)")],
      ]
      try await ann.post("/fhir/CareTeam/$validate", team).expectOutcome(.ok, "informational")
      try await ann.post("/fhir/CareTeam/$validate?mode=create", team)
        .expectOutcome(.ok, "not-supported", at: "CareTeam")
      try await ann.post("/fhir/CareTeam/x/$validate?mode=delete", team)
        .expectOutcome(.ok, "not-supported", at: "CareTeam")
    }
  }

  @Test func `a deletion is checked against access`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let made = try await ann.post(
        "/fhir/Condition",
        [
          "resourceType": "Condition", "code": ["text": "Asthma"],
          "subject": ["reference": .string("Patient/\(ann.account.patient)")],
        ])
      let id = try #require(try made.json()["id"]?.string, "\(made.text)")
      let address = "/fhir/Condition/\(id)/$validate?mode=delete"
      let nothing: JSONValue = ["resourceType": "Parameters"]
      try await ann.post(address, nothing).expectOutcome(.ok, "informational")
      try await bob.post(address, nothing).expectOutcome(.ok, "not-found")
      #expect(try await ann.get("/fhir/Condition/\(id)").status == .ok)
    }
  }

  @Test func `only the base profile is checked`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let base = "http://hl7.org/fhir/StructureDefinition/MedicationRequest"
      let address = "/fhir/MedicationRequest/$validate?profile="
      try await ann.post(address + base, ann.request()).expectOutcome(.ok, "informational")
      try await ann.post("\(address)\(base)%7C4.0.1", ann.request())
        .expectOutcome(.ok, "informational")
      try await ann.post("\(address)http://example.org/p", ann.request())
        .expectOutcome(.badRequest, "not-supported", at: "profile")
      try await ann.post("/fhir/MedicationRequest/$validate?depth=1", ann.request())
        .expectOutcome(.badRequest, "not-supported", at: "depth")
    }
  }

  @Test(arguments: ["", "{", "[1,", "nothing"])
  func `unreadable content is refused`(body: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let answer = try await harness.client.executeRequest(
        uri: "/fhir/Patient/$validate", method: .post,
        headers: ann.token.with([.contentType: "application/fhir+json"]),
        body: ByteBuffer(string: body))
      try answer.expectOutcome(.badRequest, "structure")
    }
  }

  @Test func `XML is checked like JSON`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let cases: [(String, String?)] = [
        ("<active value=\"true\"/>", "informational"), ("<colour value=\"red\"/>", nil),
        ("<gender value=\"green\"/>", "code-invalid"),
      ]
      for (content, code) in cases {
        let answer = try await harness.client.executeRequest(
          uri: "/fhir/Patient/$validate", method: .post,
          headers: ann.token.with([.contentType: "application/fhir+xml"]),
          body: ByteBuffer(string: "<Patient xmlns=\"http://hl7.org/fhir\">\(content)</Patient>"))
        try answer.expectOutcome(.ok, code)
      }
    }
  }

  @Test func `strangers validate nothing`() async throws {
    try await ServerHarness.run { harness in
      try await harness.send(.post, "/fhir/Patient/$validate", json: ["resourceType": "Patient"])
        .expectOutcome(.unauthorized, "login")
    }
  }
}
