// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import FHIRAPI
@testable import Web

@Suite struct FHIROperationRoutesTests {
  @Test func `exactly the listed operations are served`() {
    var listed: Set<String> = []
    for operation in FHIROperationRoutes.definitions {
      let types = operation.types.isEmpty ? FHIRType.allCases.map(\.rawValue) : operation.types
      for level in operation.levels {
        switch level {
        case .system: listed.insert("/fhir/$\(operation.name)")
        case .type: listed.formUnion(types.map { "/fhir/\($0)/$\(operation.name)" })
        case .instance: listed.formUnion(types.map { "/fhir/\($0)/:id/$\(operation.name)" })
        }
      }
    }
    let served = FHIROperationRoutes.all.map(\.path).filter { !$0.hasPrefix("/fhir/$export/") }
    #expect(Set(served) == listed)
  }

  @Test func `the capability statement lists them where they are offered`() async throws {
    try await ServerHarness.run { harness in
      let statement = try await harness.send(.get, "/fhir/metadata").json()
      let rest = try #require(statement["rest"]?[0])
      #expect(rest["operation"]?.array?.compactMap { $0["name"]?.string } == ["export"])
      for (type, names) in [
        ("Patient", ["validate", "everything", "summary", "export"]),
        ("Condition", ["validate"]), ("Composition", ["validate", "document"]),
        ("Group", ["validate", "export"]), ("ValueSet", ["expand", "validate-code"]),
        ("CodeSystem", ["lookup"]),
      ] {
        let resource = rest["resource"]?.array?.first { $0["type"]?.string == type }
        let operations = resource?["operation"]?.array ?? []
        #expect(operations.compactMap { $0["name"]?.string } == names, "\(type)")
        #expect(operations.allSatisfy { $0["definition"]?.string?.hasPrefix("http") == true })
      }
    }
  }

  @Test func `a read-only token may use operations that only read`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let token = try await harness.token(of: ann.account, scope: .userReading)
      let nothing: JSONValue = ["resourceType": "Parameters"]
      let patient = "/fhir/Patient/\(ann.account.patient)"
      for address in ["\(patient)/$everything", "\(patient)/$summary"] {
        #expect(try await harness.send(.post, address, token, json: nothing).status == .ok)
      }
      let checked = try await harness.send(
        .post, "/fhir/MedicationRequest/$validate", token, json: ann.request())
      #expect(checked.status == .ok)
    }
  }

  @Test func `another media type is refused`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let headers = ann.token.with([.contentType: "text/plain"])
      let answer = try await harness.send(
        .post, "/fhir/Patient/$validate", headers, json: ["resourceType": "Patient"])
      #expect(answer.status == .unsupportedMediaType)
    }
  }
}
