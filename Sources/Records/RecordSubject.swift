// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers

/// Finds the patient that a resource belongs to.
package enum RecordSubject {
  /// Finds the patient of a stored resource, by its type and id; nil if there is no such resource.
  package typealias Lookup = (_ type: String, _ id: String) throws(RecordsError) -> PatientID?

  /// Returns true for a type whose resources belong to no patient and are stored once for all.
  package static func isShared(_ type: ResourceType) -> Bool { sharedTypes.contains(type) }

  /// The types whose resources belong to no patient.
  package static let sharedTypes: [ResourceType] = [
    .medication, .practitioner, .practitionerRole, .organization, .questionnaire, .group,
  ]

  /// Returns the patient's id; nil if the resource names none, or one of another server.
  ///
  /// A Patient is its own subject. Most other resources name the patient as `Patient/id`. Some belong to the patient
  /// of another resource: a Provenance to that of its first target on this server, a DeviceMetric to that of its
  /// device, and a Binary to that of its security context. A document belongs to the subject of its Composition.
  package static func patient(
    of resource: JSONValue, type: ResourceType, id: String, lookup: Lookup
  ) throws(RecordsError) -> PatientID? {
    switch type {
    case .patient: return PatientID(id)
    case .provenance:
      for target in resource["target"]?.array ?? [] {
        if let patient = try patient(through: target, lookup) { return patient }
      }
      return nil
    case .deviceMetric: return try patient(through: resource["source"], lookup)
    case .binary: return try patient(through: resource["securityContext"], lookup)
    case .bundle:
      guard resource["type"]?.string == "document" else { return nil }
      return patient(in: resource["entry"]?[0]?["resource"]?["subject"])
    default: return element(of: type).flatMap { patient(in: resource[$0]) }
    }
  }

  /// Returns the element that must name the patient, for an issue about it.
  package static func expression(of type: ResourceType) -> String {
    switch type {
    case .patient: "Patient.id"
    case .provenance: "Provenance.target"
    case .deviceMetric: "DeviceMetric.source"
    case .binary: "Binary.securityContext"
    case .bundle: "Bundle.entry[0].resource.subject"
    default: element(of: type).map { "\(type.rawValue).\($0)" } ?? type.rawValue
    }
  }

  /// Returns the element that names the patient directly; nil for a type without such an element.
  private static func element(of type: ResourceType) -> String? {
    switch type {
    case .medicationRequest, .medicationAdministration, .medicationDispense, .observation,
      .medicationStatement, .condition, .questionnaireResponse, .composition, .communication,
      .careTeam:
      "subject"
    case .allergyIntolerance, .device, .consent, .relatedPerson: "patient"
    case .patient, .provenance, .deviceMetric, .binary, .bundle, .medication, .practitioner,
      .practitionerRole, .organization, .questionnaire, .group, .auditEvent, .subscription,
      .operationOutcome, .parameters:
      nil
    }
  }

  /// Returns the patient that a reference names as `Patient/id`.
  private static func patient(in reference: JSONValue?) -> PatientID? {
    guard let target = target(of: reference), target.type == ResourceType.patient.rawValue,
      target.isPlain
    else { return nil }
    return PatientID(target.id)
  }

  /// Returns the patient that a reference names, or that of the resource that it names.
  private static func patient(
    through reference: JSONValue?, _ lookup: Lookup
  ) throws(RecordsError) -> PatientID? {
    guard let target = target(of: reference) else { return nil }
    return try lookup(target.type, target.id)
  }

  /// Returns the type and id of a reference such as `Device/1` or `Device/1/_history/2`.
  private static func target(
    of reference: JSONValue?
  ) -> (type: String, id: String, isPlain: Bool)? {
    guard let text = reference?["reference"]?.string else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isPlain = parts.count == 2
    guard isPlain || (parts.count == 4 && parts[2] == "_history"),
      FHIRIdentifierText.isValidResourceID(parts[1])
    else { return nil }
    return (parts[0], parts[1], isPlain)
  }
}
