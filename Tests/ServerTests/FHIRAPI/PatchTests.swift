// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@testable import FHIRAPI

/// JSON Patch and FHIRPath Patch over HTTP.
@Suite struct PatchTests {
  private static let address = "/fhir/Condition/c"

  private static func make(_ harness: ServerHarness) async throws -> Person {
    let ann = try await Person.make(harness)
    let created = try await ann.put(
      address, ann.condition("Asthma", id: "c", identifier: "1"))
    #expect(created.status == .created, "\(created.text)")
    return ann
  }

  @Test func `a patch makes a version, or none at all`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Self.make(harness)
      let patched = try await ann.patch(
        Self.address,
        [
          ["op": "test", "path": "/code/text", "value": "Asthma"],
          ["op": "replace", "path": "/code/text", "value": "Gout"],
        ], [.ifMatch: #"W/"1""#])
      #expect(patched.status == .ok && patched.headers[.eTag] == #"W/"2""#, "\(patched.text)")
      #expect(try await ann.get(Self.address).json()["code"]?["text"] == "Gout")
      let change: JSONValue = ["op": "replace", "path": "/code/text", "value": "Asthma"]
      try await ann.patch(
        Self.address, [change, ["op": "test", "path": "/code/text", "value": "Gout"]]
      ).expectOutcome(.unprocessableContent)
      try await ann.patch(Self.address, [change, ["op": "add", "path": "/colour", "value": "x"]])
        .expectOutcome(.unprocessableContent, at: "Condition.colour")
      try await ann.patch(Self.address, [["op": "replace", "path": "/id", "value": "d"]])
        .expectOutcome(.unprocessableContent)
      try await ann.patch(
        Self.address, [["op": "replace", "path": "/resourceType", "value": "Device"]]
      ).expectOutcome(.unprocessableContent)
      try await ann.patch(Self.address, ["op": "add"]).expectOutcome(.badRequest)
      try await ann.patch(Self.address, [change], [.ifMatch: #"W/"1""#])
        .expectOutcome(.preconditionFailed)
      try await ann.patch(Self.address, [change], [.ifMatch: "x"]).expectOutcome(.badRequest)
      try await ann.patch("/fhir/Condition/d", [change]).expectOutcome(.notFound)
      #expect(try await ann.get(Self.address).headers[.eTag] == #"W/"2""#)
    }
  }

  @Test(arguments: ["application/json", "application/merge-patch+json"])
  func `a part of a resource replaces what it names`(type: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Self.make(harness)
      let patched = try await ann.patch(
        Self.address, ["code": ["text": "Gout"], "recordedDate": "2026-03-01"], as: type)
      #expect(patched.status == .ok && patched.headers[.eTag] == #"W/"2""#, "\(patched.text)")
      #expect(try patched.json()["code"]?["text"] == "Gout")
      try await ann.patch(Self.address, ["subject": nil], as: type)
        .expectOutcome(.unprocessableContent)
      try await ann.patch(Self.address, ["id": "d"], as: type).expectOutcome(.unprocessableContent)
      try await ann.patch(Self.address, "x", as: type).expectOutcome(.badRequest)
      #expect(try await ann.get(Self.address).headers[.eTag] == #"W/"2""#)
    }
  }

  @Test func `a FHIRPath Patch is a Parameters resource`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Self.make(harness)
      let patch: JSONValue = [
        "resourceType": "Parameters",
        "parameter": [
          [
            "name": "operation",
            "part": [
              ["name": "type", "valueCode": "replace"],
              ["name": "path", "valueString": "Condition.code.text"],
              ["name": "value", "valueString": "Gout"],
            ],
          ]
        ],
      ]
      let patched = try await ann.patch(Self.address, patch, as: "application/fhir+json")
      #expect(try patched.json()["code"]?["text"] == "Gout", "\(patched.text)")
      try await ann.patch(Self.address, ann.condition("x"), as: "application/fhir+json")
        .expectOutcome(.badRequest)
    }
  }

  @Test(arguments: ["text/plain", "application/xml-patch+xml"])
  func `other forms are refused with those that are taken`(type: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Self.make(harness)
      let refused = try await ann.patch(Self.address, ["active": true], as: type)
      try refused.expectOutcome(.unsupportedMediaType)
      let taken = try #require(refused.headers[.acceptPatch])
      #expect(taken.contains("application/json-patch+json"))
    }
  }

  @Test func `a patch of a plan moves its doses`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      let path = "/dosageInstruction/0/timing/repeat/timeOfDay/0"
      let patched = try await ann.patch(
        "/fhir/MedicationRequest/\(plan)",
        [["op": "replace", "path": .string(path), "value": "09:00:00"]])
      #expect(patched.status == .ok, "\(patched.text)")
      #expect(
        try await ann.doses().compactMap { $0["due"]?.string } == ["2026-03-01T09:00:00+00:00"])
    }
  }

  @Test func `patches at the same time are all kept`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Self.make(harness)
      let first = try await ann.patch(
        Self.address, [["op": "add", "path": "/note", "value": [["text": "0"]]]])
      #expect(first.status == .ok, "\(first.text)")
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...10 {
          group.addTask {
            let note: JSONValue = ["text": .string("\(number)")]
            return try await ann.patch(
              Self.address, [["op": "add", "path": "/note/-", "value": note]]
            ).status.code
          }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(statuses.allSatisfy { $0 == 200 }, "\(statuses)")
      #expect(try await ann.get(Self.address).json()["note"]?.array?.count == 11)
    }
  }

  @Test func `a conditional patch needs exactly one match`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Self.make(harness)
      let change: JSONValue = [["op": "replace", "path": "/code/text", "value": "Gout"]]
      let patched = try await ann.patch("/fhir/Condition?identifier=urn:clinic%7C1", change)
      #expect(patched.headers[.eTag] == #"W/"2""#, "\(patched.text)")
      try await ann.patch("/fhir/Condition?identifier=urn:clinic%7C2", change)
        .expectOutcome(.notFound)
      try await ann.patch("/fhir/Condition", change).expectOutcome(.preconditionFailed)
      _ = try await ann.post("/fhir/Condition", ann.condition("Asthma", identifier: "1"))
      try await ann.patch("/fhir/Condition?identifier=urn:clinic%7C1", change)
        .expectOutcome(.preconditionFailed)
    }
  }
}
