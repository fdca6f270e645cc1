// SPDX-License-Identifier: Apache-2.0

import FHIR
import Prescriptions

/// Converts statements and dispenses to the prescriptions that they stand for.
///
/// Servers store current medicines as requests, statements or dispenses, or as all of them.
enum HospitalPrescription {
  /// Returns the request; nil if the resource depends on a request that is fetched itself, or states that
  /// nothing was taken.
  static func request(from resource: JSONValue, version: HospitalVersion) -> JSONValue? {
    switch resource["resourceType"]?.string {
    case "MedicationStatement": StatedMedicine.request(from: resource)
    case "MedicationDispense": requestOfDispense(resource, version)
    default: resource
    }
  }

  private static func requestOfDispense(_ dispense: JSONValue, _ version: HospitalVersion)
    -> JSONValue?
  {
    // A dispense with a prescription is covered by it.
    guard (dispense["authorizingPrescription"]?.array ?? []).isEmpty,
      ["completed", "in-progress"].contains(dispense["status"]?.string),
      dispense["dosageInstruction"]?.array?.isEmpty == false,
      let medicine = medicineKey(dispense)
    else { return nil }
    let isOld = version == .dstu2
    var request: JSONValue = [
      "resourceType": .string(isOld ? "MedicationOrder" : "MedicationRequest"), "status": "active",
      // Each box is a separate dispense; together they are one prescription, identified by the medicine.
      "identifier": [["system": "urn:regimen:dispensed", "value": .string(medicine)]],
    ]
    if !isOld {
      request["intent"] = "order"
      request["reportedBoolean"] = true
    }
    copy(["contained", "subject", "patient"], from: dispense, to: &request)
    copy(["medicationCodeableConcept", "medicationReference"], from: dispense, to: &request)
    if isOld {
      request["dosageInstruction"] = .array(
        (dispense["dosageInstruction"]?.array ?? []).map { StatedMedicine.instruction($0) })
    } else {
      request["dosageInstruction"] = dispense["dosageInstruction"]
    }
    return request
  }

  /// Returns the latest dispense of each medicine.
  static func latest(_ dispenses: [String: JSONValue]) -> [String: JSONValue] {
    var byMedicine: [String: (id: String, resource: JSONValue)] = [:]
    for (id, resource) in dispenses.sorted(by: { $0.key < $1.key }) {
      guard let medicine = medicineKey(resource) else { continue }
      let isOlder = byMedicine[medicine].map { time($0.resource) > time(resource) } ?? false
      if !isOlder { byMedicine[medicine] = (id, resource) }
    }
    return Dictionary(uniqueKeysWithValues: byMedicine.values.map { ($0.id, $0.resource) })
  }

  private static func time(_ dispense: JSONValue) -> String {
    dispense["whenHandedOver"]?.string ?? dispense["whenPrepared"]?.string ?? ""
  }

  private static func medicineKey(_ resource: JSONValue) -> String? {
    if let concept = resource["medicationCodeableConcept"] {
      if let coding = concept["coding"]?[0], let code = coding["code"]?.string {
        return "\(coding["system"]?.string ?? "")#\(code)"
      }
      return concept["text"]?.string
    }
    return resource["medicationReference"]?["reference"]?.string
  }

  private static func copy(_ names: [String], from: JSONValue, to: inout JSONValue) {
    for name in names { if let value = from[name] { to[name] = value } }
  }
}
