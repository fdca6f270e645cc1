// SPDX-License-Identifier: Apache-2.0

/// The resources that apps can ask for, and what the program's own resources mean to them.
package enum SMARTResources {
  /// The FHIR types that a scope can name.
  package static let types: Set<String> = [
    "AllergyIntolerance", "AuditEvent", "Binary", "Bundle", "CareTeam", "Communication",
    "Composition", "Condition", "Consent", "Device", "DeviceMetric", "Group", "Medication",
    "MedicationAdministration", "MedicationDispense", "MedicationRequest", "MedicationStatement",
    "Observation", "Organization", "Patient", "Practitioner", "PractitionerRole", "Provenance",
    "Questionnaire", "QuestionnaireResponse", "RelatedPerson", "Subscription",
  ]

  /// A permission that an action needs.
  struct Need: Sendable, Hashable {
    let letter: SMARTGrant.Letter
    let resource: String
    /// True if a permission that is limited to some content is not enough.
    var isWhole = false
  }

  /// Returns the permissions that an action on a resource needs, all of them; nil if apps never reach it.
  ///
  /// A dose shows its medicine and its answer, so it needs the right to read both. Every other resource of the
  /// program's own, such as a chat message, a note or an alarm, is closed to apps.
  static func needs(of action: Action, on resource: String) -> [Need]? {
    if types.contains(resource) {
      return letters(of: action).map { Need(letter: $0, resource: resource) }
    }
    switch (resource, action) {
    case ("Dose", .read), ("Dose", .search), ("Delivery", .read), ("Delivery", .search):
      return ["MedicationRequest", "MedicationAdministration"].map {
        Need(letter: .read, resource: $0, isWhole: true)
      }
    default: return nil
    }
  }

  /// An export shows everything that a search finds.
  private static func letters(of action: Action) -> [SMARTGrant.Letter] {
    switch action {
    case .read: [.read]
    case .search: [.search]
    case .create: [.create]
    case .update: [.update]
    case .delete: [.delete]
    case .export: [.read, .search]
    }
  }
}
