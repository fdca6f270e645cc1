// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import FHIRAPI
@testable import Web

/// Calls that are not valid are refused with the member that is wrong.
@Suite struct CDSRequestTests {
  private static let right = CDSSystem.body(
    "order-select", "p1", orders: [CDSSystem.order("Testolol", id: "o1")],
    selections: ["MedicationRequest/o1"])

  struct Wrong: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout JSONValue) -> Void

    init(_ member: String, _ change: @escaping @Sendable (inout JSONValue) -> Void) {
      testDescription = member
      self.change = change
    }
  }

  static let wrong = [
    Wrong("hook") { $0["hook"] = nil },
    Wrong("hook") { $0["hook"] = "order-sign" },
    Wrong("hookInstance") { $0["hookInstance"] = nil },
    Wrong("hookInstance") { $0["hookInstance"] = "1" },
    Wrong("context") { $0["context"] = nil },
    Wrong("context") { $0["context"] = [] },
    Wrong("context.userId") { $0["context"]?["userId"] = nil },
    Wrong("context.userId") { $0["context"]?["userId"] = "p1" },
    Wrong("context.userId") { $0["context"]?["userId"] = "Device/p1" },
    Wrong("context.patientId") { $0["context"]?["patientId"] = nil },
    Wrong("context.patientId") { $0["context"]?["patientId"] = "" },
    Wrong("context.patientId") { $0["context"]?["patientId"] = "Patient/p1" },
    Wrong("context.draftOrders") { $0["context"]?["draftOrders"] = nil },
    Wrong("context.draftOrders") { $0["context"]?["draftOrders"] = ["resourceType": "List"] },
    Wrong("context.draftOrders") { $0["context"]?["draftOrders"]?["entry"] = [1] },
    Wrong("context.draftOrders") { body in
      let order = CDSSystem.order("Testolol")
      body["context"]?["draftOrders"]?["entry"] = .array(
        Array(repeating: ["resource": order], count: 51))
    },
    Wrong("context.selections") { $0["context"]?["selections"] = nil },
    Wrong("context.selections") { $0["context"]?["selections"] = [1] },
    Wrong("context.selections") { $0["context"]?["selections"] = ["MedicationRequest/o2"] },
    Wrong("prefetch") { $0["prefetch"] = "none" },
    Wrong("prefetch.medications") { $0["prefetch"] = ["medications": ["resourceType": "Basic"]] },
  ]

  @Test(arguments: wrong)
  func `a wrong member is named`(wrong: Wrong) throws {
    _ = try CDSRequest(Self.right, for: .orderSelect)
    var body = Self.right
    wrong.change(&body)
    do {
      _ = try CDSRequest(body, for: .orderSelect)
      Issue.record("\(wrong.testDescription) was accepted.")
    } catch {
      let failure = try #require(error as? Failure)
      #expect(failure.status == .badRequest)
      #expect(failure.detail.hasPrefix("\(wrong.testDescription) must be"), "\(failure.detail)")
    }
  }

  @Test func `bodies and services that do not exist are refused as problems`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let path = "/cds-services/regimen-order-sign"
      try await ann.post(path, []).expectProblem(.badRequest, "structure")
      try await ann.post(path, [:]).expectProblem(.badRequest, "value")
      try await ann.post("/cds-services/none", [:]).expectProblem(.notFound, "not-found")
      try await ann.post(path, [:], [.contentType: "text/plain"])
        .expectProblem(.unsupportedMediaType)
      let get = try await ann.get(path)
      #expect(get.status == .methodNotAllowed && get.headers[.allow] == "POST")
    }
  }

  @Test func `null prefetches, other orders and fifty entries are accepted`() throws {
    var body = CDSSystem.body(
      "order-sign", "p1", orders: Array(repeating: CDSSystem.order("Testolol"), count: 49),
      prefetch: ["patient": nil, "medications": nil])
    var entries = body["context"]?["draftOrders"]?["entry"]?.array ?? []
    entries.append(["resource": ["resourceType": "ServiceRequest", "id": "s1"]])
    body["context"]?["draftOrders"]?["entry"] = .array(entries)
    let request = try CDSRequest(body, for: .orderSign)
    #expect(request.orders.count == 49 && request.prefetched == nil && request.selections == nil)
    #expect(Set(request.orders.map(\.id)).count == 49)
  }

  @Test func `orders have different ids, and medicines of the Bundle are resolved`() throws {
    var named = CDSSystem.order("", id: "o1")
    named["medicationCodeableConcept"] = nil
    named["medicationReference"] = ["reference": "urn:uuid:m1"]
    let bundle: JSONValue = [
      "resourceType": "Bundle",
      "entry": [
        ["resource": named],
        ["resource": CDSSystem.order("Second", id: "o1")],
        ["resource": CDSSystem.order("Third", id: "draft/2")],
        [
          "fullUrl": "urn:uuid:m1",
          "resource": ["resourceType": "Medication", "code": ["text": "First"]],
        ],
      ],
    ]
    let orders = CDSOrder.all(in: bundle, prefix: "draft")
    #expect(orders.map { $0.request.medicationName } == ["First", "Second", "Third"])
    #expect(orders.map(\.id) == ["o1", "draft/2", "draft/3"])
    #expect(
      orders.map(\.reference) == [
        "MedicationRequest/o1", "MedicationRequest/o1", "MedicationRequest/draft/2",
      ])
  }
}
