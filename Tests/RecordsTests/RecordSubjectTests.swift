// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import TestSupport
import Testing

@testable import Records

/// The patient to whom a resource belongs.
@Suite struct RecordSubjectTests {
  struct Case: Sendable {
    let type: ResourceType
    let text: String
    let patient: PatientID?
  }

  private static let cases = [
    Case(type: .patient, text: "{}", patient: "own"),
    Case(
      type: .condition, text: #"{"subject":{"reference":"Patient/a"}}"#, patient: "a"),
    Case(type: .condition, text: #"{"patient":{"reference":"Patient/a"}}"#, patient: nil),
    Case(type: .condition, text: #"{"subject":{"reference":"Group/a"}}"#, patient: nil),
    Case(
      type: .condition, text: #"{"subject":{"reference":"http://x.example/Patient/a"}}"#,
      patient: nil),
    Case(
      type: .condition, text: #"{"subject":{"reference":"Patient/a/_history/1"}}"#, patient: nil),
    Case(
      type: .questionnaireResponse, text: #"{"subject":{"reference":"Patient/a"}}"#,
      patient: "a"),
    Case(
      type: .medicationStatement, text: #"{"subject":{"reference":"Patient/a"}}"#, patient: "a"),
    Case(type: .device, text: #"{"patient":{"reference":"Patient/a"}}"#, patient: "a"),
    Case(type: .device, text: "{}", patient: nil),
    Case(type: .deviceMetric, text: #"{"source":{"reference":"Device/v"}}"#, patient: "b"),
    Case(type: .deviceMetric, text: #"{"source":{"reference":"Device/w"}}"#, patient: nil),
    Case(
      type: .binary, text: #"{"securityContext":{"reference":"Patient/a"}}"#, patient: "a"),
    Case(
      type: .binary, text: #"{"securityContext":{"reference":"Device/v/_history/2"}}"#,
      patient: "b"),
    Case(
      type: .provenance,
      text: #"{"target":[{"reference":"Device/w"},{"reference":"Device/v"},{"display":"x"}]}"#,
      patient: "b"),
    Case(type: .provenance, text: #"{"target":[{"display":"x"}]}"#, patient: nil),
    Case(type: .composition, text: #"{"subject":{"reference":"Patient/a"}}"#, patient: "a"),
    Case(
      type: .bundle,
      text: #"{"type":"document","entry":[{"resource":{"subject":{"reference":"Patient/a"}}}]}"#,
      patient: "a"),
    Case(
      type: .bundle,
      text: #"{"type":"batch","entry":[{"resource":{"subject":{"reference":"Patient/a"}}}]}"#,
      patient: nil),
    Case(type: .practitioner, text: "{}", patient: nil),
  ]

  @Test(arguments: cases)
  func `a resource belongs to the patient that it names`(example: Case) throws {
    let resource = try JSONValue(parsing: Array(example.text.utf8))
    let known: [String: PatientID] = ["Patient/a": "a", "Device/v": "b"]
    let found = try RecordSubject.patient(of: resource, type: example.type, id: "own") {
      (type, id) throws(RecordsError) in known["\(type)/\(id)"]
    }
    #expect(found == example.patient, "\(example)")
  }

  @Test func `every type says which element must name the patient`() {
    for type in ResourceType.allCases {
      #expect(RecordSubject.expression(of: type).hasPrefix(type.rawValue))
    }
  }
}
