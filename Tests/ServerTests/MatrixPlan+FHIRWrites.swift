// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import Identifiers
import Records

@testable import Web

/// The bodies of requests that write over the FHIR API, each about the owner's patient.
extension MatrixPlan {
  /// Returns the body for a route; nil for one that writes no resource.
  func fhirBody(of route: Route) -> JSONValue? {
    if route.path == "/fhir" { return transaction }
    // Everyone can read a study; its pages show only one's own part in it.
    if route.path.hasPrefix("/studies/") { return true }
    let parts = route.path.split(separator: "/").map(String.init)
    guard parts.first == "fhir", parts.count == 2 || (parts.count == 3 && parts[2] == ":id"),
      route.method != .get, let type = ResourceType(rawValue: parts[1])
    else { return nil }
    if route.method == .patch {
      return [["op": "test", "path": "/resourceType", "value": .string(type.rawValue)]]
    }
    var resource = resource(of: type)
    if parts.count == 3 {
      let id = address(of: route).split(separator: "/").last.map(String.init) ?? ""
      resource["id"] = .string(id)
    }
    return resource
  }

  /// Returns true for a route whose request names no patient: only a system adds people, and the
  /// types that are shared belong to no one.
  static func namesNoPatient(_ route: Route) -> Bool {
    let parts = route.path.split(separator: "/").map(String.init)
    // Each questionnaire is the same for everyone; its page shows the person who is signed in.
    if parts.first == "questionnaires" || route.path == "/api/v1/questionnaires/:questionnaire" {
      return true
    }
    guard route.method != .get, parts.first == "fhir",
      parts.count == 2 || (parts.count == 3 && parts[2] == ":id")
    else { return false }
    if route.path == "/fhir/Patient" || route.path == "/fhir/Subscription" { return true }
    return ResourceType(rawValue: parts[1]).map(RecordSubject.isShared) ?? false
  }

  private var owner: JSONValue { ["reference": .string("Patient/\(account.patient)")] }

  private var transaction: JSONValue {
    [
      "resourceType": "Bundle", "type": "transaction",
      "entry": [
        [
          "resource": Self.resource(of: account, id: nil),
          "request": ["method": "POST", "url": "MedicationRequest"],
        ]
      ],
    ]
  }

  private func resource(of type: ResourceType) -> JSONValue {
    switch type {
    case .medicationRequest: return Self.resource(of: account, id: nil)
    case .medicationDispense: return Self.dispensed(account, id: nil)
    case .medicationAdministration:
      return [
        "resourceType": "MedicationAdministration", "status": "completed",
        "identifier": [["system": "urn:example:matrix", "value": "given"]],
        "medicationCodeableConcept": ["text": .string(Self.secretName)],
        "subject": owner, "effectiveDateTime": "2026-02-28T07:00:00Z",
      ]
    case .observation:
      return [
        "resourceType": "Observation", "status": "final",
        "code": ["coding": [["system": "http://loinc.org", "code": "29463-7"]]],
        "subject": owner, "effectiveDateTime": "2026-02-28",
        "valueQuantity": [
          "value": 74, "unit": "kg", "system": "http://unitsofmeasure.org", "code": "kg",
        ],
      ]
    case .communication:
      return [
        "resourceType": "Communication", "status": "completed", "subject": owner,
        "payload": [["contentString": "matrix"]],
      ]
    default: break
    }
    var resource: JSONValue = ["resourceType": .string(type.rawValue)]
    switch type {
    case .allergyIntolerance, .device: resource["patient"] = owner
    case .provenance: resource["target"] = [owner]
    case .deviceMetric: resource["source"] = owner
    case .binary: resource["securityContext"] = owner
    case .bundle:
      resource["type"] = "document"
      resource["entry"] = [["resource": ["resourceType": "Composition", "subject": owner]]]
    default: resource["subject"] = owner
    }
    return resource
  }
}
