// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FHIR

@Suite struct CodeValueSetsTests {
  @Test func `a value set is found by its address, with or without the version`() {
    let address = "http://hl7.org/fhir/ValueSet/administrative-gender"
    #expect(CodeValueSets.name(of: address) == "administrative-gender")
    #expect(CodeValueSets.name(of: "\(address)|4.0.1") == "administrative-gender")
    for unknown in [
      "", "administrative-gender", "\(address)|5.0.0", "\(address)x",
      "http://hl7.org/fhir/ValueSet/",
      "https://example.org/ValueSet/administrative-gender",
    ] {
      #expect(CodeValueSets.name(of: unknown) == nil, "\(unknown)")
    }
  }

  @Test func `codes come in order with their system`() {
    #expect(
      CodeValueSets.codes(of: "administrative-gender").map(\.code) == [
        "female", "male", "other", "unknown",
      ])
    #expect(CodeValueSets.codes(of: "none").isEmpty)
  }

  @Test(arguments: [
    ("administrative-gender", "male", "http://hl7.org/fhir/administrative-gender"),
    ("units-of-time", "d", "http://unitsofmeasure.org"),
    ("event-timing", "MORN", "http://hl7.org/fhir/event-timing"),
    ("event-timing", "ACM", "http://terminology.hl7.org/CodeSystem/v3-TimingEvent"),
    (
      "medicationrequest-status", "active",
      "http://hl7.org/fhir/CodeSystem/medicationrequest-status"
    ),
    (
      "medication-admin-status", "completed",
      "http://terminology.hl7.org/CodeSystem/medication-admin-status"
    ),
  ])
  func `each code has the system that R4 gives it`(name: String, code: String, system: String) {
    #expect(
      CodeValueSets.codes(of: name).contains(ValueSetCode(system: system, code: code)))
    #expect(CodeValueSets.knows(system: system))
    #expect(CodeValueSets.code(code, of: system)?.display == code)
  }

  @Test func `a code of another system is not known`() {
    #expect(CodeValueSets.code("male", of: "http://unitsofmeasure.org") == nil)
    #expect(!CodeValueSets.knows(system: "http://snomed.info/sct"))
  }

  @Test func `every value set has codes`() {
    #expect(!CodeValueSets.names.isEmpty)
    for name in CodeValueSets.names { #expect(!CodeValueSets.codes(of: name).isEmpty, "\(name)") }
  }
}
