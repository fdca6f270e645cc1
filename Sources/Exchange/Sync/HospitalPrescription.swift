// SPDX-License-Identifier: Apache-2.0

import FHIR

/// Converts statements and dispenses to the prescriptions that they stand for.
///
/// Servers store current medicines as requests, statements or dispenses, or as all of them.
enum HospitalPrescription {
  /// Returns the request; nil if the resource depends on a request that is fetched itself, or states that
  /// nothing was taken.
  static func request(from resource: JSONValue, version: HospitalVersion) -> JSONValue? {
    switch resource["resourceType"]?.string {
    case "MedicationStatement":
      version == .dstu2 ? orderOfStatement(resource) : requestOfStatement(resource)
    case "MedicationDispense": requestOfDispense(resource, version)
    default: resource
    }
  }

  private static func requestOfStatement(_ statement: JSONValue) -> JSONValue? {
    let basis = (statement["basedOn"]?.array ?? []) + (statement["derivedFrom"]?.array ?? [])
    if basis.contains(where: { $0["reference"]?.string?.contains("MedicationRequest/") ?? false }) {
      return nil
    }
    let status: String
    switch statement["status"]?.string {
    case "active": status = "active"
    case "completed": status = "completed"
    case "stopped", "not-taken": status = "stopped"
    case "on-hold": status = "on-hold"
    case "intended": status = "draft"
    case "entered-in-error": status = "entered-in-error"
    default: return nil
    }
    var request: JSONValue = [
      "resourceType": "MedicationRequest", "status": .string(status), "intent": "order",
      "reportedBoolean": true,
    ]
    copy(["meta", "contained", "identifier", "subject", "note"], from: statement, to: &request)
    copy(["medicationCodeableConcept", "medicationReference"], from: statement, to: &request)
    if let asserted = statement["dateAsserted"] { request["authoredOn"] = asserted }
    if let dosage = statement["dosage"] { request["dosageInstruction"] = dosage }
    return request
  }

  private static func orderOfStatement(_ statement: JSONValue) -> JSONValue? {
    guard statement["wasNotTaken"]?.bool != true else { return nil }
    var order: JSONValue = ["resourceType": "MedicationOrder"]
    switch statement["status"]?.string {
    case "active": order["status"] = "active"
    case "completed": order["status"] = "completed"
    case "intended": order["status"] = "draft"
    case "entered-in-error": order["status"] = "entered-in-error"
    default: return nil
    }
    copy(["meta", "contained", "identifier", "patient"], from: statement, to: &order)
    copy(["medicationCodeableConcept", "medicationReference"], from: statement, to: &order)
    if let asserted = statement["dateAsserted"] { order["dateWritten"] = asserted }
    if let dosages = statement["dosage"]?.array {
      order["dosageInstruction"] = .array(dosages.map { instruction($0) })
    }
    return order
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
        (dispense["dosageInstruction"]?.array ?? []).map { instruction($0) })
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

  /// Returns a dosage of a DSTU2 statement or dispense in the form of an order.
  private static func instruction(_ dosage: JSONValue) -> JSONValue {
    var dosage = dosage
    for (from, to) in [
      ("quantityQuantity", "doseQuantity"), ("quantityRange", "doseRange"),
    ] {
      guard let value = dosage[from] else { continue }
      dosage[to] = value
      dosage[from] = nil
    }
    return dosage
  }

  private static func copy(_ names: [String], from: JSONValue, to: inout JSONValue) {
    for name in names { if let value = from[name] { to[name] = value } }
  }
}
