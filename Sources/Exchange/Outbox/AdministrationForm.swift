// SPDX-License-Identifier: Apache-2.0

import Encodings
import FHIR

/// An answer in the form that a hospital's server accepts: a MedicationAdministration about its own
/// prescription.
package struct AdministrationForm: Sendable, Hashable {
  /// The identifier of the record here.
  let id: String
  let record: JSONValue
  /// The prescription on that server, such as `MedicationRequest/7`.
  let prescription: String
  /// The identifier of the person on that server.
  let person: String

  /// Creates a form.
  ///
  /// - Parameters:
  ///   - id: The identifier of the record here.
  ///   - record: The record as it is stored here (R4).
  ///   - prescription: The reference to the prescription there, such as `MedicationRequest/7`.
  ///   - person: The identifier of the person there.
  package init(id: String, record: JSONValue, prescription: String, person: String) {
    self.id = id
    self.record = record
    self.prescription = prescription
    self.person = person
  }

  private static let system = "urn:ietf:rfc:3986"

  /// The business identifier that names the record on both servers; it never changes.
  package var identifier: (system: String, value: String) { (Self.system, "urn:uuid:\(id)") }

  /// The search that finds the record there, as a query.
  package var condition: String {
    "identifier=\(PercentEncoding.encode("\(identifier.system)|\(identifier.value)"))"
  }

  /// Returns the resource to send.
  ///
  /// - Parameter remoteID: The identifier it has there; nil before it was sent.
  package func resource(_ version: HospitalVersion, remoteID: String? = nil) -> JSONValue {
    var resource = version == .dstu2 ? old : current
    if let remoteID { resource["id"] = .string(remoteID) }
    return resource
  }

  private var identifiers: JSONValue {
    [["system": .string(identifier.system), "value": .string(identifier.value)]]
  }

  /// The record in R4, without parts that are meaningful only here.
  private var current: JSONValue {
    var resource: JSONValue = [
      "resourceType": "MedicationAdministration", "identifier": identifiers,
    ]
    for name in [
      "status", "statusReason", "medicationCodeableConcept", "effectiveDateTime", "dosage",
    ] {
      if let value = record[name] { resource[name] = value }
    }
    resource["subject"] = ["reference": .string("Patient/\(person)")]
    resource["request"] = ["reference": .string(prescription)]
    if let name = record["performer"]?[0]?["actor"]?["display"] {
      resource["performer"] = [["actor": ["display": name]]]
    }
    return resource
  }

  /// The record in DSTU2, which has its own elements for the prescription and for doses that were not given.
  private var old: JSONValue {
    var resource: JSONValue = [
      "resourceType": "MedicationAdministration", "identifier": identifiers,
      "patient": ["reference": .string("Patient/\(person)")],
      "prescription": ["reference": .string(prescription)],
    ]
    let status = record["status"]?.string
    resource["status"] = status == "entered-in-error" ? "entered-in-error" : "completed"
    if status == "not-done" {
      resource["wasNotGiven"] = true
      if let reasons = record["statusReason"] { resource["reasonNotGiven"] = reasons }
    }
    if let medicine = record["medicationCodeableConcept"] {
      resource["medicationCodeableConcept"] = medicine
    }
    if let time = record["effectiveDateTime"] { resource["effectiveTimeDateTime"] = time }
    if let dose = record["dosage"]?["dose"] { resource["dosage"] = ["quantity": dose] }
    return resource
  }
}
