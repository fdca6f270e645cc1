// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@Suite struct SearchChainTests {
  private func test(_ query: String, _ type: ResourceType) throws -> SearchCriterion {
    try #require(try SearchSamples.parse(query, type).criteria.first)
  }

  private func token(_ parameter: String, _ code: String) -> SearchCriterion {
    SearchCriterion(
      parameter: parameter, test: .token([TokenSearchValue(system: nil, code: code)]))
  }

  @Test(arguments: [
    "patient.identifier=7", "subject:Patient.identifier=7", "patient:Patient.identifier=7",
  ])
  func followsAReference(_ query: String) throws {
    let name = query.hasPrefix("patient") ? "patient" : "subject"
    #expect(
      try test(query, .medicationRequest)
        == SearchCriterion(
          parameter: name, test: .chain(target: .patient, token("identifier", "7"))))
  }

  /// A group has no parameter `name`, so that the only possible type is a patient.
  @Test func findsTheTypeThatHasTheParameter() throws {
    #expect(
      try test("subject.name=x", .medicationRequest)
        == SearchCriterion(
          parameter: "subject",
          test: .chain(
            target: .patient, SearchCriterion(parameter: "name", test: .string(["x"], .start)))))
    #expect(
      try test("medication.code=x", .medicationRequest)
        == SearchCriterion(
          parameter: "medication", test: .chain(target: .medication, token("code", "x"))))
  }

  @Test func keepsTheModifierOfTheLastParameter() throws {
    let found = try test("patient.organization.name:exact=Clinic", .condition)
    let name = SearchCriterion(parameter: "name", test: .string(["Clinic"], .exact))
    let organization = SearchCriterion(
      parameter: "organization", test: .chain(target: .organization, name))
    #expect(
      found
        == SearchCriterion(
          parameter: "patient", test: .chain(target: .patient, organization)))
  }

  @Test func followsReferencesBackwards() throws {
    #expect(
      try test("_has:MedicationRequest:patient:status=active", .patient)
        == SearchCriterion(
          parameter: "_has",
          test: .has(
            source: .medicationRequest, reference: "patient", token("status", "active"))))
    let nested = try test("_has:Observation:patient:_has:Provenance:target:agent=x", .patient)
    let agent = SearchCriterion(
      parameter: "agent", test: .reference([.local(type: nil, id: "x")]))
    let provenance = SearchCriterion(
      parameter: "_has", test: .has(source: .provenance, reference: "target", agent))
    #expect(
      nested
        == SearchCriterion(
          parameter: "_has",
          test: .has(source: .observation, reference: "patient", provenance)))
    let inChain = try test("patient._has:Group:member:code=x", .condition)
    let group = SearchCriterion(
      parameter: "_has", test: .has(source: .group, reference: "member", token("code", "x")))
    #expect(
      inChain
        == SearchCriterion(parameter: "patient", test: .chain(target: .patient, group)))
  }

  @Test(
    arguments: [
      ("patient=1", [.local(type: "Patient", id: "1")]),
      ("subject=1", [.local(type: nil, id: "1")]),
      ("subject=Group/1,2", [.local(type: "Group", id: "1"), .local(type: nil, id: "2")]),
      ("subject:Patient=Patient/1", [.local(type: "Patient", id: "1")]),
      ("subject=https://example.org/fhir/Patient/1", [.local(type: "Patient", id: "1")]),
      ("subject=https://example.com/Patient/1", [.absolute("https://example.com/Patient/1")]),
      ("subject=urn:uuid:5", [.absolute("urn:uuid:5")]),
      (
        "encounter=https://example.org/fhir/Encounter/1",
        [
          .local(type: "Encounter", id: "1"), .absolute("https://example.org/fhir/Encounter/1"),
        ]
      ),
      (
        "subject:identifier=s|v", [.identifier(TokenSearchValue(system: "s", code: "v"))]
      ),
    ] as [(String, [ReferenceSearchValue])])
  func readsReferences(_ query: String, _ expected: [ReferenceSearchValue]) throws {
    #expect(try test(query, .medicationRequest).test == .reference(expected))
  }

  @Test func readsEscapes() throws {
    #expect(
      try test(#"name=a\,b,c"#, .patient)
        == SearchCriterion(parameter: "name", test: .string(["a,b", "c"], .start)))
    #expect(
      try test(#"identifier=s|a\|b"#, .patient)
        == SearchCriterion(
          parameter: "identifier", test: .token([TokenSearchValue(system: "s", code: "a|b")])))
  }

  @Test func expandsValueSets() throws {
    let found = try test(
      "gender:in=http://hl7.org/fhir/ValueSet/administrative-gender", .patient)
    let system = "http://hl7.org/fhir/administrative-gender"
    let codes = ["female", "male", "other", "unknown"]
    #expect(found.test == .token(codes.map { TokenSearchValue(system: system, code: $0) }))
  }
}
