// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Storage
import TestSupport
import Testing

@testable import Records

/// Conditions on the resources at the other end of a reference.
@Suite struct RecordChainTests {
  private static let everyone: SearchAuthorization.Patients = .only(["p1", "p2"])

  private static let resources = [
    #"{"resourceType":"Patient","id":"p1","name":[{"family":"Berg"}]}"#,
    #"{"resourceType":"Patient","id":"p2","name":[{"family":"Dahl"}]}"#,
    #"{"resourceType":"Practitioner","id":"d1","name":[{"family":"Bergmann"}]}"#,
    #"{"resourceType":"Practitioner","id":"d2","name":[{"family":"Lie"}]}"#,
    role,
    #"{"resourceType":"Device","id":"v1","status":"active","patient":{"reference":"Patient/p1"}}"#,
    observation("o1", "p1", "v1"), observation("o2", "p2", "v1"), request("m1", "p1", "d1"),
    request("m2", "p2", "d2"),
  ]

  private static let role = #"""
    {"resourceType":"PractitionerRole","id":"w1","practitioner":{"reference":"Practitioner/d1"}}
    """#

  private static func observation(_ id: String, _ patient: String, _ device: String) -> String {
    #"""
    {"resourceType":"Observation","id":"\#(id)","status":"final","code":{"text":"x"},\#
    "subject":{"reference":"Patient/\#(patient)"},"device":{"reference":"Device/\#(device)"}}
    """#
  }

  private static func request(_ id: String, _ patient: String, _ doctor: String) -> String {
    #"""
    {"resourceType":"MedicationRequest","id":"\#(id)","status":"active","intent":"plan",\#
    "medicationCodeableConcept":{"text":"Tea"},"subject":{"reference":"Patient/\#(patient)"},\#
    "requester":{"reference":"Practitioner/\#(doctor)"}}
    """#
  }

  private static func name(_ text: String) -> SearchCriterion {
    SearchCriterion(parameter: "family", test: .string([text], .start))
  }

  private static let isActive = SearchCriterion(
    parameter: "status", test: .token([TokenSearchValue(system: nil, code: "active")]))

  struct Case: Sendable {
    let type: ResourceType
    let test: SearchTest
    var parameter = "_has"
    let found: [String]
    var chains: [ResourceType: SearchAuthorization.Patients] = [:]
  }

  private static let cases: [Case] = [
    // To a shared resource; without an authorization for the type it finds nothing.
    Case(
      type: .medicationRequest, test: .chain(target: .practitioner, name("berg")),
      parameter: "requester", found: ["m1"], chains: [.practitioner: .all]),
    Case(
      type: .medicationRequest, test: .chain(target: .practitioner, name("berg")),
      parameter: "requester", found: []),
    // To the owner, whose reference is a column.
    Case(
      type: .medicationRequest, test: .chain(target: .patient, name("berg")),
      parameter: "subject", found: ["m1"], chains: [.patient: everyone]),
    Case(
      type: .medicationRequest, test: .chain(target: .patient, name("berg")),
      parameter: "subject", found: [], chains: [.patient: .only(["p2"])]),
    Case(
      type: .medicationRequest, test: .chain(target: .patient, name("berg")),
      parameter: "subject", found: [], chains: [.patient: .only([])]),
    // To a record, but never to one of another patient.
    Case(
      type: .observation, test: .chain(target: .device, isActive), parameter: "device",
      found: ["o1"], chains: [.device: everyone]),
    Case(
      type: .observation,
      test: .chain(
        target: .device,
        SearchCriterion(parameter: "patient", test: .chain(target: .patient, name("berg")))),
      parameter: "device", found: ["o1"], chains: [.device: everyone, .patient: everyone]),
    Case(
      type: .observation,
      test: .chain(
        target: .device,
        SearchCriterion(parameter: "patient", test: .chain(target: .patient, name("berg")))),
      parameter: "device", found: [], chains: [.device: everyone]),
    // Between shared resources.
    Case(
      type: .practitionerRole, test: .chain(target: .practitioner, name("berg")),
      parameter: "practitioner", found: ["w1"], chains: [.practitioner: .all]),
    // Backwards.
    Case(
      type: .patient, test: .has(source: .medicationRequest, reference: "subject", isActive),
      found: ["p1", "p2"], chains: [.medicationRequest: everyone]),
    Case(
      type: .patient, test: .has(source: .medicationRequest, reference: "subject", isActive),
      found: ["p2"], chains: [.medicationRequest: .only(["p2"])]),
    Case(
      type: .patient, test: .has(source: .medicationRequest, reference: "subject", isActive),
      found: []),
    Case(
      type: .device,
      test: .has(
        source: .observation, reference: "device",
        SearchCriterion(parameter: "_id", test: .ids(["o1"]))), found: ["v1"],
      chains: [.observation: everyone]),
    Case(
      type: .device,
      test: .has(
        source: .observation, reference: "device",
        SearchCriterion(parameter: "_id", test: .ids(["o2"]))), found: [],
      chains: [.observation: everyone]),
    Case(
      type: .practitioner, test: .has(source: .medicationRequest, reference: "requester", isActive),
      found: ["d2"], chains: [.medicationRequest: .only(["p2"])]),
    Case(
      type: .practitioner,
      test: .has(source: .practitionerRole, reference: "practitioner", matchesAll),
      found: ["d1"], chains: [.practitionerRole: .all]),
  ]

  private static let matchesAll = SearchCriterion(
    parameter: "practitioner", test: .missing(false))

  @Test(arguments: DatabaseForm.allCases)
  func `a chain sees only what the search may see`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      for text in Self.resources { try await database.store(text) }
      for example in Self.cases {
        let criterion = SearchCriterion(parameter: example.parameter, test: example.test)
        let found = try await database.ids(example.type, [criterion], chains: example.chains)
        #expect(found == example.found, "\(example)")
      }
    }
  }

  /// A chain as long and as deep as a request may have, with a leaf as wide.
  private static func deepest(_ leaf: SearchCriterion) -> SearchCriterion {
    var criterion = leaf
    for _ in 0..<2 {
      criterion = SearchCriterion(
        parameter: "subject", test: .chain(target: .patient, criterion))
      criterion = SearchCriterion(
        parameter: "_has", test: .has(source: .observation, reference: "subject", criterion))
    }
    return SearchCriterion(parameter: "subject", test: .chain(target: .patient, criterion))
  }

  @Test(arguments: DatabaseForm.allCases)
  func `the deepest chains are searched`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      for text in Self.resources { try await database.store(text) }
      let names = [String](repeating: "none", count: 499) + ["berg"]
      let tokens = [
        TokenSearchValue(system: "http://s", code: nil),
        TokenSearchValue(system: nil, code: "a"),
        TokenSearchValue(system: "http://s", code: "a"),
        TokenSearchValue(system: "http://t", code: "b"),
      ]
      let examples: [(leaf: SearchCriterion, found: [String])] = [
        (SearchCriterion(parameter: "family", test: .string(names, .start)), ["o1"]),
        (SearchCriterion(parameter: "identifier", test: .token(tokens)), []),
        (SearchCriterion(parameter: "identifier", test: .notToken(tokens)), ["o1", "o2"]),
      ]
      for example in examples {
        let found = try await database.ids(
          .observation, [Self.deepest(example.leaf)],
          chains: [.patient: Self.everyone, .observation: Self.everyone])
        #expect(found == example.found, "\(example.leaf.test)")
      }
    }
  }
}
