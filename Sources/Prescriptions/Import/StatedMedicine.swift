// SPDX-License-Identifier: Apache-2.0

import FHIR

/// Converts statements about medicines to the prescriptions that they stand for.
///
/// A patient summary (IPS) lists current medicines as statements, and so do some hospitals.
package enum StatedMedicine {
  /// Returns the request that a MedicationStatement stands for.
  ///
  /// A DSTU2 statement becomes a MedicationOrder, any other a MedicationRequest. The result is nil if the
  /// statement depends on a request, says that nothing was taken, or says that nothing is known.
  package static func request(from statement: JSONValue) -> JSONValue? {
    guard !saysNothing(statement) else { return nil }
    return isOld(statement) ? order(from: statement) : current(from: statement)
  }

  /// Returns true for a statement of DSTU2, which names its patient differently.
  package static func isOld(_ statement: JSONValue) -> Bool {
    statement["subject"] == nil && statement["patient"] != nil
  }

  /// The codes by which a summary says that there are no medicines, or that none are known.
  private static let absentSystem = "http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips"

  private static func saysNothing(_ statement: JSONValue) -> Bool {
    let codings = statement["medicationCodeableConcept"]?["coding"]?.array ?? []
    return codings.contains { $0["system"]?.string == absentSystem }
  }

  private static func current(from statement: JSONValue) -> JSONValue? {
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
    // In a document, only the other entry shows if this is a request.
    let entries = basis.filter { $0["reference"]?.string?.hasPrefix("urn:") ?? false }
    if !entries.isEmpty { request["basedOn"] = .array(entries) }
    if let asserted = statement["dateAsserted"] { request["authoredOn"] = asserted }
    if let dosage = statement["dosage"] { request["dosageInstruction"] = dosage }
    if let period = statement["effectivePeriod"] {
      request = DosageBounds.bounded(request, by: period)
    }
    return request
  }

  private static func order(from statement: JSONValue) -> JSONValue? {
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
    if let period = statement["effectivePeriod"] {
      order = DosageBounds.bounded(order, by: period)
    }
    return order
  }

  /// Returns a dosage of a DSTU2 statement or dispense in the form of an order.
  package static func instruction(_ dosage: JSONValue) -> JSONValue {
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
