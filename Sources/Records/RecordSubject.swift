// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers

/// Finds the patient that a resource belongs to.
package enum RecordSubject {
  /// Returns the patient's id; nil if the resource names none, or one of another server.
  ///
  /// A Patient is its own subject; other resources name it as `Patient/id`.
  package static func patient(of resource: JSONValue, type: ResourceType, id: String) -> PatientID?
  {
    switch type {
    case .patient:
      return PatientID(id)
    case .medicationRequest, .medicationAdministration, .medicationDispense, .observation,
      .allergyIntolerance:
      let element = type == .allergyIntolerance ? "patient" : "subject"
      guard let reference = resource[element]?["reference"]?.string else { return nil }
      let parts = reference.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] == "Patient",
        FHIRIdentifierText.isValidResourceID(String(parts[1]))
      else { return nil }
      return PatientID(String(parts[1]))
    case .medication:
      // A shared medicine belongs to no one, and records are stored by patient.
      return nil
    }
  }

  static func expression(of type: ResourceType) -> String {
    switch type {
    case .patient: "Patient.id"
    case .medicationRequest, .medicationAdministration, .medicationDispense, .observation:
      "\(type.rawValue).subject"
    case .allergyIntolerance: "AllergyIntolerance.patient"
    case .medication: "Medication"
    }
  }
}
