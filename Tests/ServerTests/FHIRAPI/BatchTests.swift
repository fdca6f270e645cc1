// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport
import Web

@testable import FHIRAPI

/// Batches: each entry stands alone.
@Suite struct BatchTests {
  private typealias Form = BundleEntryForm

  private static let urn = "urn:uuid:1f0b8a3e-6d1c-4d8e-9b55-0c1f2a3b4c5d"

  @Test func `a failing entry leaves the others untouched`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      var wrong = ann.condition("Asthma")
      wrong["colour"] = "red"
      var linked = ann.condition("Asthma")
      linked["asserter"] = ["reference": .string(Self.urn)]
      let answer = try await ann.bundle(
        "batch",
        [
          Form.entry("GET", "Condition"),
          Form.entry("POST", "Condition", ann.condition("Gout"), fullURL: Self.urn),
          Form.entry("POST", "Condition", wrong),
          Form.entry("GET", "Patient/\(bob.account.patient)"),
          Form.entry("GET", "Condition?colour=red"),
          ["resource": wrong],
          Form.entry("POST", "Condition", linked),
          Form.entry("POST", "CareTeam", ["resourceType": "CareTeam"]),
          Form.entry("DELETE", "Condition"),
          Form.entry("GET", "http://localhost/fhir/Patient/\(ann.account.patient)"),
        ])
      #expect(answer.status == .ok, "\(answer.text)")
      let bundle = try answer.json()
      #expect(bundle["type"] == "batch-response")
      let entries = bundle["entry"]?.array ?? []
      let statuses = entries.map { $0["response"]?["status"]?.string?.prefix(3) }
      #expect(
        statuses == ["200", "201", "422", "404", "400", "400", "400", "405", "412", "200"],
        "\(answer.text)")
      #expect(entries[0]["resource"]?["total"] == 1)
      #expect(entries[1]["response"]?["status"]?.string == "201 Created")
      let issue = entries[2]["response"]?["outcome"]?["issue"]?[0]
      #expect(issue?["expression"]?[0] == "Bundle.entry[2].resource.colour")
      for (entry, status) in zip(entries, statuses) where status?.hasPrefix("4") == true {
        #expect(entry["response"]?["outcome"]?["resourceType"] == "OperationOutcome")
      }
      #expect(entries[9]["resource"]?["resourceType"] == "Patient")
      #expect(try await ann.count("/fhir/Condition") == 1)
    }
  }

  @Test func `a problem of a JSON Patch is one of the data of its Binary`() {
    let failure = Failure.element(.badRequest, .value, "$this[0].path", "Wrong.").inEntry(2)
    #expect(failure.issues.map(\.expression) == ["Bundle.entry[2].resource.data"])
  }

  @Test func `an empty batch has an empty answer`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let answer = try await ann.post("/fhir", ["resourceType": "Bundle", "type": "batch"])
      #expect(answer.status == .ok && !answer.text.contains("entry"))
      try await harness.send(.post, "/fhir", json: ["resourceType": "Bundle", "type": "batch"])
        .expectOutcome(.unauthorized)
      try await ann.post("/fhir", [:], [.contentType: "text/plain"])
        .expectOutcome(.unsupportedMediaType)
    }
  }
}

/// The order of a transaction's entries.
@Suite struct BundleOrderTests {
  @Test(
    arguments: [
      ([[], [], []], [0, 1, 2]), ([[1], [2], []], [2, 1, 0]), ([[1], [0], []], [1, 0, 2]),
      ([[2], [], [1]], [1, 2, 0]), ([], []),
    ] as [([[Int]], [Int])])
  func `an entry follows those that it refers to`(dependencies: [[Int]], positions: [Int]) {
    #expect(BundleOrder(dependencies: dependencies).positions == positions)
  }

  @Test func `a long chain does not exhaust the stack`() {
    let order = BundleOrder(dependencies: (0..<1_000).map { $0 < 999 ? [$0 + 1] : [] })
    #expect(order.positions == Array((0..<1_000).reversed()))
  }

  @Test(
    arguments: [
      ("return=minimal", .minimal),
      ("respond-async, return=representation", .representation),
      ("handling=lenient; return=OperationOutcome", .operationOutcome),
    ] as [(String, ReturnPreference)])
  func `a preference is read among others`(header: String, preference: ReturnPreference) {
    #expect(ReturnPreference(header) == preference)
    #expect(ReturnPreference("handling=strict") == nil && ReturnPreference(nil) == nil)
  }
}
