// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

/// Resources of one person that tests search.
struct FHIRShelf: Sendable {
  let person: Person

  static let snomed = "http://snomed.info/sct"

  static func make(_ harness: ServerHarness, _ name: String = "Ann") async throws -> FHIRShelf {
    FHIRShelf(person: try await Person.make(harness, name))
  }

  /// Stores a resource under an id.
  func put(_ type: String, _ id: String, _ content: JSONValue) async throws {
    var resource = content
    resource["resourceType"] = .string(type)
    resource["id"] = .string(id)
    let answer = try await person.put("/fhir/\(type)/\(id)", resource)
    #expect(answer.status == .created || answer.status == .ok, "\(answer.text)")
  }

  /// Stores a Condition.
  func condition(
    _ id: String, code: String = "195967001", recorded: String = "2026-02-01"
  ) async throws {
    try await put(
      "Condition", id,
      [
        "clinicalStatus": [
          "coding": [
            [
              "system": "http://terminology.hl7.org/CodeSystem/condition-clinical",
              "code": "active",
            ]
          ]
        ],
        "code": [
          "coding": [["system": .string(Self.snomed), "code": .string(code)]], "text": "Asthma",
        ],
        "subject": reference, "recordedDate": .string(recorded),
        "note": [["text": "Secretitis"]],
        "text": [
          "status": "generated",
          "div": "<div xmlns=\"http://www.w3.org/1999/xhtml\">Asthma</div>",
        ],
      ])
  }

  /// Stores a Provenance of another resource.
  func provenance(_ id: String, of target: String) async throws {
    try await put(
      "Provenance", id,
      [
        "target": [["reference": .string(target)]], "recorded": "2026-02-01T00:00:00Z",
        "agent": [["who": ["display": "Clinic"]]],
      ])
  }

  var reference: JSONValue { ["reference": .string("Patient/\(person.account.patient)")] }

  /// Returns the type and id of each entry with a mode, in order.
  func search(
    _ query: String, mode: String = "match", _ headers: HTTPFields = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    let answer = try await person.get("/fhir/\(query)", headers)
    #expect(answer.status == .ok, "\(query): \(answer.text)", sourceLocation: sourceLocation)
    return try answer.json().entries(mode)
  }
}

extension JSONValue {
  /// Returns the type and id of each entry of a Bundle with a mode, in order.
  func entries(_ mode: String = "match") -> [String] {
    (self["entry"]?.array ?? []).filter { $0["search"]?["mode"]?.string == mode }
      .map { entry in
        let type = entry["resource"]?["resourceType"]?.string ?? ""
        return "\(type)/\(entry["resource"]?["id"]?.string ?? "")"
      }
  }

  /// Returns the path of a Bundle's link to the next page; nil on the last one.
  var nextPath: String? {
    link("next").map { String($0.dropFirst("http://localhost".count)) }
  }
}
