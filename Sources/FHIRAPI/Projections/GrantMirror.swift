// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Encodings
import FHIR
import Identifiers
import Storage

/// The grants of one patient as FHIR resources: a Consent for each, a RelatedPerson for each
/// guardian and family member, and one CareTeam.
///
/// They are created from the rows on request and are read-only: access is granted only by both
/// sides confirming it here.
struct GrantMirror: Sendable {
  let patient: PatientID
  /// The current grants, without the patient's own.
  let grants: [Grant]

  init(patient: PatientID, grants: [Grant]) {
    self.patient = patient
    self.grants = grants.filter { $0.right.relationship != .self_ }
  }

  /// Returns the resources of one type, with their ids.
  func resources(_ type: FHIRType) -> [(id: String, resource: JSONValue)] {
    switch type {
    case .consent: grants.map { (id(of: $0), consent($0)) }
    case .relatedPerson: grants.filter(isRelated).map { (id(of: $0), relatedPerson($0)) }
    case .careTeam: grants.isEmpty ? [] : [(patient.text, careTeam)]
    default: []
    }
  }

  /// Returns the patient to whom an id of a type belongs, without checking that the patient exists.
  static func patient(of id: String, _ type: FHIRType) -> PatientID? {
    guard type != .careTeam else { return PatientID(id) }
    return id.lastIndex(of: ".").map { PatientID(String(id[..<$0])) }
  }

  // MARK: Ids

  /// Returns an id that stays the same during the grant, whatever is shared.
  private func id(of grant: Grant) -> String {
    let words = "grant:\(grant.patient):\(grant.account):\(grant.right.relationship.rawValue)"
    let digest = Fingerprint.digest(of: Array(words.utf8))
    return "\(patient).\(Hexadecimal.encode(Array(digest.prefix(6))))"
  }

  private func isRelated(_ grant: Grant) -> Bool {
    grant.right.relationship == .guardian || grant.right.relationship == .family
  }

  // MARK: Resources

  private func start(_ type: FHIRType, id: String, updated: Timestamp) -> JSONObject {
    var object = JSONObject()
    object["resourceType"] = .string(type.rawValue)
    object["id"] = .string(id)
    object["meta"] = [
      "lastUpdated": .string(Self.instant(updated)),
      "tag": [
        [
          "system": "urn:regimen:made-from", "code": "grants",
          "display": "From the grants on this server; read-only",
        ]
      ],
    ]
    return object
  }

  private func relatedPerson(_ grant: Grant) -> JSONValue {
    var object = start(.relatedPerson, id: id(of: grant), updated: grant.starts)
    object["active"] = true
    object["patient"] = patientReference
    object["relationship"] = [["coding": [role(of: grant)]]]
    object["name"] = [["text": .string(grant.displayName)]]
    object["period"] = period(of: grant)
    return .object(object)
  }

  private func consent(_ grant: Grant) -> JSONValue {
    var object = start(.consent, id: id(of: grant), updated: grant.starts)
    object["status"] = "active"
    object["scope"] = [
      "coding": [
        [
          "system": "http://terminology.hl7.org/CodeSystem/consentscope",
          "code": "patient-privacy",
        ]
      ]
    ]
    object["category"] = [["coding": [["system": "http://loinc.org", "code": "59284-0"]]]]
    object["patient"] = patientReference
    object["dateTime"] = .string(Self.instant(grant.starts))
    object["policyRule"] = [
      "coding": [
        ["system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "OPTIN"]
      ]
    ]
    var provision = JSONObject()
    provision["type"] = "permit"
    provision["period"] = period(of: grant)
    provision["actor"] = [
      [
        "role": [
          "coding": [
            [
              "system": "http://terminology.hl7.org/CodeSystem/v3-ParticipationType",
              "code": "IRCP",
            ]
          ]
        ],
        "reference": reference(to: grant),
      ]
    ]
    provision["action"] = .array(
      (grant.right.relationship.actsForPatient ? ["access", "correct"] : ["access"]).map { code in
        [
          "coding": [
            [
              "system": "http://terminology.hl7.org/CodeSystem/consentaction",
              "code": .string(code),
            ]
          ]
        ]
      })
    // Guardians see everything, so no class limits them.
    if !grant.right.relationship.actsForPatient {
      provision["class"] = .array(
        Self.sharedTypes(grant.right).map {
          ["system": "http://hl7.org/fhir/resource-types", "code": .string($0)]
        })
    }
    object["provision"] = .object(provision)
    return .object(object)
  }

  private var careTeam: JSONValue {
    let updated = grants.map(\.starts).max() ?? Timestamp(milliseconds: 0)
    var object = start(.careTeam, id: patient.text, updated: updated)
    object["status"] = "active"
    object["subject"] = patientReference
    object["participant"] = .array(
      grants.map { grant in
        [
          "role": [["coding": [role(of: grant)]]], "member": reference(to: grant),
          "period": period(of: grant),
        ]
      })
    return .object(object)
  }

  // MARK: Parts

  private var patientReference: JSONValue { ["reference": .string("Patient/\(patient)")] }

  private func reference(to grant: Grant) -> JSONValue {
    isRelated(grant)
      ? [
        "reference": .string("RelatedPerson/\(id(of: grant))"),
        "display": .string(grant.displayName),
      ]
      : ["type": "Practitioner", "display": .string(grant.displayName)]
  }

  private func role(of grant: Grant) -> JSONValue {
    let (system, code) =
      switch grant.right.relationship {
      case .guardian: ("v3-RoleCode", "GUARD")
      case .family: ("v3-RoleCode", "FAMMEMB")
      case .self_: ("v3-RoleCode", "ONESELF")
      case .practitioner, .emergency: ("v3-RoleClass", "PROV")
      }
    return [
      "system": .string("http://terminology.hl7.org/CodeSystem/\(system)"), "code": .string(code),
    ]
  }

  private func period(of grant: Grant) -> JSONValue {
    var period: JSONValue = ["start": .string(Self.instant(grant.starts))]
    period["end"] = grant.ends.map { .string(Self.instant($0)) }
    return period
  }

  /// Returns the types of what is shared, each once: the diary and other measurements are both Observations.
  private static func sharedTypes(_ right: PatientRight) -> [String] {
    var seen: Set<String> = []
    return DataCategory.allCases.filter(right.categories.contains).flatMap { types($0) }
      .filter { seen.insert($0).inserted }
  }

  private static func types(_ category: DataCategory) -> [String] {
    switch category {
    case .medicines: ["Medication", "MedicationRequest"]
    case .adherence: ["MedicationAdministration"]
    case .heartRate: ["Observation"]
    case .diary: ["Observation", "QuestionnaireResponse"]
    case .messages: ["Communication"]
    case .stock: ["MedicationDispense"]
    }
  }

  private static func instant(_ moment: Timestamp) -> String {
    FHIRDateTime.instantText(milliseconds: moment.milliseconds, offsetMinutes: 0)
  }
}
