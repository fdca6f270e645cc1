// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import FHIRAPI

@Suite struct TerminologyOperationsTests {
  private static let gender = "http://hl7.org/fhir/ValueSet/administrative-gender"

  @Test func `a value set is expanded in order`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let set = try await ann.get("/fhir/ValueSet/$expand?url=\(Self.gender)").json()
      #expect(set["resourceType"] == "ValueSet")
      #expect(set["url"]?.string == Self.gender)
      #expect(set["expansion"]?["total"] == 4)
      let codes = set["expansion"]?["contains"]?.array?.compactMap { $0["code"]?.string }
      #expect(codes == ["female", "male", "other", "unknown"])
      #expect(
        set["expansion"]?["contains"]?[0]?["system"] == "http://hl7.org/fhir/administrative-gender")
    }
  }

  @Test func `an expansion is filtered and cut`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/ValueSet/$expand?url=\(Self.gender)"
      let filtered = try await ann.get("\(address)&filter=MALE").json()
      #expect(filtered["expansion"]?["total"] == 2)
      let page = try await ann.get("\(address)&offset=1&count=2").json()
      #expect(page["expansion"]?["total"] == 4)
      #expect(page["expansion"]?["offset"] == 1)
      let codes = page["expansion"]?["contains"]?.array?.compactMap { $0["code"]?.string }
      #expect(codes == ["male", "other"])
      for empty in ["count=0", "offset=9", "filter=xyz"] {
        let answer = try await ann.get("\(address)&\(empty)").json()
        #expect(answer["expansion"]?["contains"] == nil, "\(empty)")
      }
    }
  }

  @Test func `arguments may come as Parameters`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let set = try await ann.post(
        "/fhir/ValueSet/$expand",
        [
          "resourceType": "Parameters",
          "parameter": [
            ["name": "url", "valueUri": .string(Self.gender)],
            ["name": "count", "valueInteger": 1],
          ],
        ]
      ).json()
      #expect(set["expansion"]?["contains"]?.array?.count == 1)
    }
  }

  @Test func `mistakes name the parameter`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/ValueSet/$expand"
      try await ann.get(address).expectOutcome(.badRequest, "required", at: "url")
      try await ann.get("\(address)?url=http://example.org/none")
        .expectOutcome(.notFound, "not-found", at: "url")
      for wrong in ["count=-1", "count=x", "offset=1.5"] {
        let name = String(wrong.prefix { $0 != "=" })
        try await ann.get("\(address)?url=\(Self.gender)&\(wrong)")
          .expectOutcome(.badRequest, "value", at: name)
      }
      try await ann.get("\(address)?url=\(Self.gender)&url=\(Self.gender)")
        .expectOutcome(.badRequest, "value", at: "url")
      try await ann.get("\(address)?url=\(Self.gender)&activeOnly=true")
        .expectOutcome(.badRequest, "not-supported", at: "activeOnly")
      try await ann.post(address, ["resourceType": "Patient"])
        .expectOutcome(.badRequest, "structure", at: "resourceType")
    }
  }

  @Test func `a code is validated against a value set`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/ValueSet/$validate-code?url=\(Self.gender)"
      let system = "http://hl7.org/fhir/administrative-gender"
      for (query, isMember) in [
        ("code=male", true), ("code=male&system=\(system)", true), ("code=Male", false),
        ("code=male&system=http://example.org", false), ("code=none", false),
      ] {
        let answer = try await ann.get("\(address)&\(query)")
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(try answer.json().parameter("result")?["valueBoolean"] == .bool(isMember))
      }
      try await ann.get(address).expectOutcome(.badRequest, "required", at: "code")
      let concept = try await ann.post(
        "/fhir/ValueSet/$validate-code",
        [
          "resourceType": "Parameters",
          "parameter": [
            ["name": "url", "valueUri": .string(Self.gender)],
            [
              "name": "codeableConcept",
              "valueCodeableConcept": [
                "coding": [
                  ["system": "http://example.org", "code": "m"],
                  ["system": .string(system), "code": "female"],
                ]
              ],
            ],
          ],
        ])
      #expect(try concept.json().parameter("result")?["valueBoolean"] == true)
    }
  }

  @Test func `a code is looked up in its system`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/CodeSystem/$lookup"
      let system = "http://hl7.org/fhir/administrative-gender"
      let found = try await ann.get("\(address)?system=\(system)&code=male").json()
      #expect(found.parameter("name")?["valueString"] == "administrative-gender")
      #expect(found.parameter("display")?["valueString"] == "male")
      try await ann.get("\(address)?system=\(system)&code=none")
        .expectOutcome(.notFound, "not-found", at: "code")
      try await ann.get("\(address)?system=http://loinc.org&code=1-8")
        .expectOutcome(.notFound, "not-found", at: "system")
      try await ann.get("\(address)?code=male")
        .expectOutcome(.badRequest, "required", at: "system")
      try await ann.get(address).expectOutcome(.badRequest, "required", at: "code")
    }
  }
}

extension JSONValue {
  /// Returns the argument of a Parameters resource with a name.
  func parameter(_ name: String) -> JSONValue? {
    self["parameter"]?.array?.first { $0["name"]?.string == name }
  }
}
