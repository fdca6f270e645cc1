// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@testable import FHIRAPI

/// Changes that depend on a search: none, one or several matches.
@Suite struct ConditionalWriteTests {
  private static let base = "/fhir/Condition"
  private static let one = "identifier=urn:clinic%7C1"

  @Test func `a conditional create makes one resource`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      func post(_ condition: String) async throws -> TestResponse {
        try await ann.post(
          Self.base, ann.condition("Asthma", identifier: "1"), [.ifNoneExist: condition])
      }
      let created = try await post("identifier=urn:clinic|1")
      #expect(created.status == .created, "\(created.text)")
      let again = try await post("identifier=urn:clinic|1")
      #expect(again.status == .ok)
      #expect(again.text == created.text && again.headers[.eTag] == #"W/"1""#)
      #expect(try await post("identifier=urn:clinic|2").status == .created)
      try await post("code:text=asthma").expectOutcome(.preconditionFailed, "multiple-matches")
      try await post("").expectOutcome(.preconditionFailed)
      try await post("_count=1").expectOutcome(.preconditionFailed)
      try await post("colour=red").expectOutcome(.badRequest)
      #expect(try await ann.count(Self.base) == 2)
    }
  }

  @Test(arguments: ["Condition", "MedicationRequest"])
  func `equal conditional creates at the same time make one resource`(type: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var resource =
        type == "Condition" ? ann.condition("Asthma") : ann.request()
      resource["identifier"] = [["system": "urn:clinic", "value": "1"]]
      let sent = resource
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<12 {
          group.addTask {
            try await ann.post(
              "/fhir/\(type)", sent, [.ifNoneExist: "identifier=urn:clinic|1"]
            ).status.code
          }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(statuses.filter { $0 == 201 }.count == 1, "\(statuses)")
      #expect(statuses.filter { $0 == 200 }.count == 11, "\(statuses)")
      #expect(try await ann.count("/fhir/\(type)?\(Self.one)") == 1)
    }
  }

  @Test func `a conditional create never finds another's resource`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      for person in [ann, bob] {
        let created = try await person.post(
          Self.base, person.condition("Asthma", identifier: "1"),
          [.ifNoneExist: "identifier=urn:clinic|1"])
        #expect(created.status == .created, "\(created.text)")
      }
    }
  }

  @Test func `a conditional update creates, then changes`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "\(Self.base)?\(Self.one)"
      let resource = ann.condition("Asthma", identifier: "1")
      try await ann.put(address, resource, [.ifMatch: #"W/"1""#])
        .expectOutcome(.preconditionFailed)
      let created = try await ann.put(address, resource)
      #expect(created.status == .created, "\(created.text)")
      let id = try #require(try created.json()["id"]?.string)
      let changed = try await ann.put(address, ann.condition("Gout", identifier: "1"))
      #expect(changed.status == .ok && changed.headers[.eTag] == #"W/"2""#)
      #expect(try changed.json()["id"]?.string == id)
      try await ann.put(address, resource, [.ifMatch: #"W/"1""#])
        .expectOutcome(.preconditionFailed, "conflict")
      try await ann.put(address, ann.condition("Gout", id: "other", identifier: "1"))
        .expectOutcome(.badRequest, at: "Condition.id")
      try await ann.put(Self.base, resource).expectOutcome(.preconditionFailed)
      try await ann.put("\(Self.base)?colour=red", resource).expectOutcome(.badRequest)
      _ = try await ann.post(Self.base, resource)
      try await ann.put(address, resource)
        .expectOutcome(.preconditionFailed, "multiple-matches")
      let named = try await ann.put(
        "\(Self.base)?identifier=urn:clinic%7C9", ann.condition("Asthma", id: "c9"))
      #expect(try named.status == .created && named.json()["id"] == "c9")
    }
  }

  @Test func `a conditional delete deletes one, and never without criteria`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      for number in ["1", "2", "2"] {
        _ = try await ann.post(Self.base, ann.condition("Asthma", identifier: number))
      }
      try await ann.delete(Self.base).expectOutcome(.preconditionFailed)
      try await ann.delete("\(Self.base)?_count=1").expectOutcome(.preconditionFailed)
      try await ann.delete("\(Self.base)?colour=red").expectOutcome(.badRequest)
      try await ann.delete("\(Self.base)?identifier=urn:clinic%7C2")
        .expectOutcome(.preconditionFailed, "multiple-matches")
      #expect(try await ann.count(Self.base) == 3)
      #expect(try await ann.delete("\(Self.base)?\(Self.one)").status == .noContent)
      #expect(try await ann.delete("\(Self.base)?\(Self.one)").status == .noContent)
      #expect(try await ann.count(Self.base) == 2)
    }
  }
}
