// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FHIR

@Suite struct ResourceValidatorTests {
  @Test func tablesNameOnlyWhatExists() {
    #expect(ElementTables.standard.unresolved == [])
    for type in ResourceType.allCases {
      #expect(ElementTables.standard.type(named: type.rawValue) != nil)
      #expect(R4ResourceNames.contains(type.rawValue))
    }
    for name in Invariants.byType.keys {
      #expect(ElementTables.standard.type(named: name) != nil)
    }
    #expect(R4ResourceNames.all.count == 146)
  }

  @Test(arguments: Fixtures.valid)
  func acceptsValidResourcesAndKeepsTheirText(_ type: ResourceType, _ text: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(ResourceValidator.issues(in: value, expecting: type) == [])
    #expect(value.text == text)
  }

  /// Each row changes the MedicationRequest below: the path, the JSON to set there, and the expected finding.
  @Test(arguments: [
    (#""color":"red""#, FHIRIssueCode.structure, "MedicationRequest.color"),
    (#""odd name":1"#, .structure, "MedicationRequest.`odd name`"),
    (#""_subject":{"id":"x"}"#, .structure, "MedicationRequest._subject"),
    (#""priority":"soon""#, .codeInvalid, "MedicationRequest.priority"),
    (#""priority":null"#, .structure, "MedicationRequest.priority"),
    (#""priority":"""#, .value, "MedicationRequest.priority"),
    (#""priority":1"#, .structure, "MedicationRequest.priority"),
    (#""priority":["routine"]"#, .structure, "MedicationRequest.priority"),
    (#""note":{"text":"x"}"#, .structure, "MedicationRequest.note"),
    (#""note":[]"#, .structure, "MedicationRequest.note"),
    (#""note":[null]"#, .structure, "MedicationRequest.note[0]"),
    (#""note":[{}]"#, .structure, "MedicationRequest.note[0]"),
    (#""note":[{"time":"2026"}]"#, .required, "MedicationRequest.note[0].text"),
    (#""doNotPerform":"true""#, .structure, "MedicationRequest.doNotPerform"),
    (#""authoredOn":"2026-02-30""#, .value, "MedicationRequest.authoredOn"),
    (#""authoredOn":"2026-03-01T08:00""#, .value, "MedicationRequest.authoredOn"),
    (#""authoredOn":"2026-03-01T08:00:00""#, .value, "MedicationRequest.authoredOn"),
    (#""id":"a/b""#, .value, "MedicationRequest.id"),
    (#""medicationReference":{"display":"x"}"#, .structure, "MedicationRequest.medication"),
    (#""_medicationString":{"id":"x"}"#, .structure, "MedicationRequest._medicationString"),
    (#""encounter":{"reference":"E 1"}"#, .value, "MedicationRequest.encounter.reference"),
    (##""encounter":{"reference":"#gone"}"##, .invariant, "MedicationRequest.encounter.reference"),
    (
      #""priorPrescription":{"reference":"Patient/1"}"#, .value,
      "MedicationRequest.priorPrescription.reference"
    ),
    (#""instantiatesUri":["a b"]"#, .value, "MedicationRequest.instantiatesUri[0]"),
    (
      #""dispenseRequest":{"numberOfRepeatsAllowed":-1}"#, .value,
      "MedicationRequest.dispenseRequest.numberOfRepeatsAllowed"
    ),
    (
      #""dispenseRequest":{"numberOfRepeatsAllowed":1.0}"#, .value,
      "MedicationRequest.dispenseRequest.numberOfRepeatsAllowed"
    ),
    (
      #""dispenseRequest":{"quantity":{"comparator":"<","value":1}}"#, .invariant,
      "MedicationRequest.dispenseRequest.quantity.comparator"
    ),
    (
      #""dispenseRequest":{"validityPeriod":{"start":"2026-02","end":"2026-01"}}"#, .invariant,
      "MedicationRequest.dispenseRequest.validityPeriod.end"
    ),
    (
      #""substitution":{"reason":{"text":"x"}}"#, .required,
      "MedicationRequest.substitution.allowed"
    ),
    (#""extension":[{"url":"http://a"}]"#, .invariant, "MedicationRequest.extension[0]"),
    (#""extension":[{"valueString":"x"}]"#, .required, "MedicationRequest.extension[0].url"),
    (
      #""extension":[{"url":"http://a","valueString":"x","valueCode":"y"}]"#, .structure,
      "MedicationRequest.extension[0].value"
    ),
    (
      #""extension":[{"url":"http://a","valueNonsense":"x"}]"#, .structure,
      "MedicationRequest.extension[0].valueNonsense"
    ),
    (
      #""contained":[{"resourceType":"Medication"}]"#, .required,
      "MedicationRequest.contained[0].id"
    ),
    (
      ##""encounter":{"reference":"#a"},"contained":[{"resourceType":"Wizard","id":"a"}]"##,
      .structure, "MedicationRequest.contained[0]"
    ),
    (
      ##""encounter":{"reference":"#a"},"contained":[{"resourceType":"Medication","id":"a","colour":1}]"##,
      .structure, "MedicationRequest.contained[0].colour"
    ),
    (
      ##""encounter":{"reference":"#a"},"contained":[{"resourceType":"Medication","id":"a","contained":[]}]"##,
      .invariant, "MedicationRequest.contained[0].contained"
    ),
    (
      ##""encounter":{"reference":"#a"},"contained":[{"resourceType":"Slot","id":"a"},{"resourceType":"Slot","id":"a"}]"##,
      .duplicate, "MedicationRequest.contained[1].id"
    ),
    (
      ##""encounter":{"reference":"#a"},"contained":[{"resourceType":"Slot","id":"a","specialty":[{"text":null}]}]"##,
      .structure, "MedicationRequest.contained[0].specialty[0].text"
    ),
    (
      #""text":{"status":"generated","div":"<div xmlns='http://www.w3.org/1999/xhtml'><script>x</script></div>"}"#,
      .value, "MedicationRequest.text.div"
    ),
    (#""meta":{"lastUpdated":"2026-03-01"}"#, .value, "MedicationRequest.meta.lastUpdated"),
  ])
  func namesTheWrongElement(
    _ property: String, _ code: FHIRIssueCode, _ expression: String
  ) throws {
    let start = """
      {"resourceType":"MedicationRequest","status":"active","intent":"order",\
      "medicationCodeableConcept":{"text":"x"},"subject":{"reference":"Patient/1"}
      """
    let valid = try JSONValue(parsing: start + "}")
    #expect(ResourceValidator.issues(in: valid, expecting: .medicationRequest) == [])
    let value = try JSONValue(parsing: "\(start),\(property)}")
    let issues = ResourceValidator.issues(in: value, expecting: .medicationRequest)
    #expect(issues.map(\.expression) == [expression])
    #expect(issues.map(\.code) == [code])
    #expect(issues.allSatisfy { $0.severity == .error && !$0.diagnostics.isEmpty })
  }

  @Test func namesEverythingThatIsMissing() {
    let issues = ResourceValidator.issues(
      in: ["resourceType": "MedicationRequest"], expecting: .medicationRequest)
    #expect(issues.allSatisfy { $0.code == .required })
    #expect(
      issues.map(\.expression) == [
        "MedicationRequest.status", "MedicationRequest.intent", "MedicationRequest.medication",
        "MedicationRequest.subject",
      ])
  }

  @Test(arguments: [
    ("[]", FHIRIssueCode.structure), ("{}", .required),
    (#"{"resourceType":"Medication"}"#, .structure), (#"{"resourceType":1}"#, .required),
  ])
  func refusesAnotherType(_ text: String, _ code: FHIRIssueCode) throws {
    let issues = ResourceValidator.issues(in: try JSONValue(parsing: text), expecting: .patient)
    #expect(issues.map(\.code) == [code])
    #expect(issues.map(\.expression) == ["Patient"])
  }

  @Test(arguments: [
    (#""given":[null]"#, "Patient.name[0].given[0]"),
    (#""given":["A"],"_given":[null]"#, nil),
    (#""given":[null],"_given":[null]"#, "Patient.name[0].given[0]"),
    (#""given":["A"],"_given":[null,{"id":"b"}]"#, "Patient.name[0].given"),
    (#""given":["A"],"_given":{"id":"b"}"#, "Patient.name[0].given"),
    (#""given":["A","B"],"_given":[{"id":"b"}]"#, nil),
    (#""family":"A","_family":[{"id":"b"}]"#, "Patient.name[0].family"),
    (#""family":"A","_family":{"odd":1}"#, "Patient.name[0].family.odd"),
    (#""_family":{"extension":[{"url":"http://a","valueCode":"unknown"}]}"#, nil),
  ])
  func readsWhatAccompaniesPrimitives(_ name: String, _ expression: String?) throws {
    let value = try JSONValue(parsing: #"{"resourceType":"Patient","name":[{\#(name)}]}"#)
    let issues = ResourceValidator.issues(in: value, expecting: .patient)
    #expect(issues.first?.expression == expression)
  }

  @Test func stopsAtTheMostFindings() {
    let names = JSONValue.array(Array(repeating: .null, count: 1_000))
    let value: JSONValue = ["resourceType": "Patient", "name": names]
    let issues = ResourceValidator.issues(in: value, expecting: .patient)
    #expect(issues.count == ResourceValidator.maximumIssues)
  }

  @Test func survivesValuesDeeperThanTheReaderTakes() {
    var nested: JSONValue = ["url": "http://a", "valueString": "x"]
    for _ in 0..<200 { nested = ["url": "http://a", "extension": [nested]] }
    let value: JSONValue = ["resourceType": "Patient", "extension": [nested]]
    let issues = ResourceValidator.issues(in: value, expecting: .patient)
    #expect(issues.map(\.code) == [.tooCostly])
  }
}
