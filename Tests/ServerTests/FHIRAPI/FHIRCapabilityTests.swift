// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import FHIRAPI

/// The capability statement claims exactly what works.
@Suite struct FHIRCapabilityTests {
  /// A value that each kind of parameter takes.
  private static let values = [
    "number": "1", "date": "2026-03-01", "string": "a", "token": "a", "reference": "a",
    "quantity": "1", "uri": "urn:a", "composite": "a$1999",
  ]

  @Test(arguments: FHIRType.allCases)
  func `every claimed search parameter and include is served`(type: FHIRType) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let statement = try await ann.get("/fhir/metadata").json()
      let resource = try #require(
        statement["rest"]?[0]?["resource"]?.array?.first { $0["type"]?.string == type.rawValue })
      var queries: [String] = []
      for parameter in resource["searchParam"]?.array ?? [] {
        let name = try #require(parameter["name"]?.string)
        let kind = try #require(parameter["type"]?.string)
        let value = try #require(Self.values[kind], "\(kind)")
        queries.append("\(name)=\(value)")
        // Nothing is in order by two values at once.
        if kind != "composite" { queries.append("_sort=-\(name)") }
      }
      queries += (resource["searchInclude"]?.array ?? []).compactMap(\.string)
        .map { "_include=\($0)" }
      queries += (resource["searchRevInclude"]?.array ?? []).compactMap(\.string)
        .map { "_revinclude=\($0)" }
      #expect(queries.count >= 6, "\(type)")
      for query in queries {
        let answer = try await ann.get("/fhir/\(type.rawValue)?\(query)")
        #expect(answer.status == .ok, "\(type) \(query): \(answer.text)")
      }
    }
  }

  @Test func `the statement has what clients read first`() async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.send(.get, "/fhir/metadata")
      let statement = try answer.json()
      #expect(statement["fhirVersion"]?.string == "4.0.1")
      let system = statement["rest"]?[0]?["interaction"]?.array?.compactMap { $0["code"]?.string }
      #expect(system == ["transaction", "batch", "history-system"])
      let compartments = statement["rest"]?[0]?["compartment"]?.array?.compactMap(\.string)
      #expect(compartments == ["http://hl7.org/fhir/CompartmentDefinition/patient"])
      let resources = statement["rest"]?[0]?["resource"]?.array ?? []
      func resource(_ type: String) -> JSONValue? {
        resources.first { $0["type"]?.string == type }
      }
      let subscription = try #require(resource("Subscription"))
      #expect(
        subscription["interaction"]?.array?.compactMap { $0["code"]?.string }
          == ["read", "search-type", "create", "update", "delete"])
      #expect(
        subscription["extension"]?.array?.compactMap { $0["valueCanonical"]?.string } == [
          "urn:regimen:topic:prescription", "urn:regimen:topic:administration",
          "urn:regimen:topic:missed-dose", "urn:regimen:topic:heart-rate-warning",
        ])
      #expect(resource("Condition")?["updateCreate"] == true)
      #expect(resource("MedicationRequest")?["updateCreate"] == true)
      #expect(resource("MedicationDispense")?["updateCreate"] == false)
      #expect(resource("Condition")?["conditionalDelete"]?.string == "single")
      #expect(resource("Patient")?["conditionalDelete"]?.string == "not-supported")
      let codes = resource("Consent")?["interaction"]?.array?.compactMap { $0["code"]?.string }
      #expect(
        codes == ["read", "vread", "history-instance", "search-type", "history-type"])
      #expect(
        resource("MedicationRequest")?["searchInclude"]?.array?
          .contains("MedicationRequest:medication") == true)
      #expect(
        resource("MedicationRequest")?["searchRevInclude"]?.array?
          .contains("Provenance:target") == true)
    }
  }
}
