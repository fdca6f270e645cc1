// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The resource types that are served.
enum FHIRType: String, Sendable, CaseIterable {
  case patient = "Patient"
  case medicationRequest = "MedicationRequest"
  case medicationAdministration = "MedicationAdministration"
  /// A pharmacy's dispense, offered as a pack for the supply.
  case medicationDispense = "MedicationDispense"
  case medicationStatement = "MedicationStatement"
  case medication = "Medication"
  /// Heart rate, steps and weight are kept as measurements; other Observations as they were sent.
  case observation = "Observation"
  case allergyIntolerance = "AllergyIntolerance"
  case condition = "Condition"
  /// Created from the messages of conversations, or stored as sent.
  case communication = "Communication"
  case practitioner = "Practitioner"
  case practitionerRole = "PractitionerRole"
  case organization = "Organization"
  case device = "Device"
  case deviceMetric = "DeviceMetric"
  case questionnaire = "Questionnaire"
  case questionnaireResponse = "QuestionnaireResponse"
  case provenance = "Provenance"
  case binary = "Binary"
  case composition = "Composition"
  /// Documents only.
  case bundle = "Bundle"
  case group = "Group"
  /// Created from the audit trail on request.
  case auditEvent = "AuditEvent"
  /// Created from the grants on request.
  case consent = "Consent"
  case careTeam = "CareTeam"
  case relatedPerson = "RelatedPerson"

  /// The place in which resources of a type are kept, which decides who may read and write them.
  enum Ownership: Sendable, Hashable {
    /// With a patient, among the stored resources.
    case patient
    /// With no patient: every signed-in account reads them, and only a system writes them.
    case shared
    /// Nowhere: they are created on request from the data of a patient.
    case projection
    /// Partly stored, and partly created from the data of a patient.
    case mixed
  }

  /// The way in which a type can be written.
  enum Writing: Sendable, Hashable {
    /// As a resource that nothing else depends on.
    case generic
    /// Through the commands that also change what the resource stands for, such as doses.
    case domain
    /// Not at all: it is derived from other data, which the text names.
    case readOnly(source: String)
  }

  /// The type as the module FHIR knows it.
  var resourceType: ResourceType? { ResourceType(rawValue: rawValue) }

  /// The place in which resources of this type are kept.
  var ownership: Ownership {
    switch self {
    case .observation, .communication: .mixed
    case .auditEvent, .consent, .careTeam, .relatedPerson: .projection
    case .practitioner, .practitionerRole, .organization, .medication, .questionnaire, .group:
      .shared
    case .patient, .medicationRequest, .medicationAdministration, .medicationDispense,
      .medicationStatement, .allergyIntolerance, .condition, .device, .deviceMetric,
      .questionnaireResponse, .provenance, .binary, .composition, .bundle:
      .patient
    }
  }

  /// The way in which this type can be written.
  var writing: Writing {
    switch self {
    case .patient, .medicationRequest, .medicationAdministration, .medicationDispense,
      .observation, .communication:
      .domain
    case .auditEvent: .readOnly(source: "the access log")
    case .consent, .careTeam, .relatedPerson:
      .readOnly(source: "the access that patients have granted")
    case .medicationStatement, .allergyIntolerance, .condition, .device, .deviceMetric,
      .questionnaireResponse, .provenance, .binary, .composition, .bundle, .practitioner,
      .practitionerRole, .organization, .medication, .questionnaire, .group:
      .generic
    }
  }

  /// True if resources of this type can be read and searched.
  var isReadable: Bool { true }

  /// True if the versions of all resources of this type can be read together; each read adds a line to the access
  /// log, so its lines are not among them.
  var hasTypeHistory: Bool { self != .auditEvent }

  /// True if resources of this type can be created.
  var isWritable: Bool {
    if case .readOnly = writing { false } else { true }
  }

  /// True if a resource of this type can be replaced and patched.
  var isUpdatable: Bool { isWritable && self != .communication }

  /// True if a PUT may create a resource under the client's own id.
  var isUpdateCreate: Bool {
    isUpdatable && self != .medicationAdministration && self != .medicationDispense
  }

  /// True if a resource of this type can be deleted.
  var isDeletable: Bool {
    switch self {
    case .observation, .medicationRequest, .medicationAdministration, .medicationDispense: true
    default: writing == .generic
    }
  }

  /// True if current resources of this type are rows of `resources`.
  var isStoredByPatient: Bool { ownership == .patient || self == .observation }

  /// True if a resource of this type belongs to a patient, so that it is part of a patient's compartment.
  var isInPatientCompartment: Bool { ownership != .shared && self != .patient }

  /// The order of search results unless the client asks for another one; ties follow by patient and id.
  var defaultSort: [SearchSort] {
    switch self {
    case .observation: [SearchSort(parameter: "date", isDescending: true)]
    case .communication: [SearchSort(parameter: "sent", isDescending: true)]
    case .auditEvent:
      // Lines of the same time follow by their number.
      [
        SearchSort(parameter: "date", isDescending: true),
        SearchSort(parameter: "_line", isDescending: true),
      ]
    default: []
    }
  }

  /// The search parameters that name the patient to whom a resource belongs.
  var ownerParameters: Set<String> {
    if self == .auditEvent { return ["patient"] }
    return resourceType.map(SearchParameterTables.ownerParameters) ?? []
  }

  /// The types that are stored as resources of a patient, with their versions.
  static let stored = allCases.filter { $0.ownership == .patient }
  /// The types that are stored without a patient.
  static let shared = allCases.filter { $0.ownership == .shared }
  /// The types that show a patient's grants.
  static let mirrored: [FHIRType] = [.consent, .careTeam, .relatedPerson]
}
