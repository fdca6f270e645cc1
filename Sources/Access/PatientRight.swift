// SPDX-License-Identifier: Apache-2.0

/// A part of a patient's data that is shared, or not, with family and practitioners.
package enum DataCategory: String, Sendable, Hashable, CaseIterable {
  /// Prescriptions and their instructions.
  case medicines
  /// Doses taken, skipped and missed.
  case adherence
  /// Heart rate, steps, weight and every other measurement that is not of the diary.
  case heartRate = "heart-rate"
  /// The diary, with its photos and the answers to questionnaires.
  case diary
  case messages
  case stock

  /// A message of a conversation: the only thing that family and practitioners write themselves.
  static let chatMessage = "ChatMessage"

  /// A questionnaire that a person is asked to answer; a practitioner may ask for one.
  static let questionnaireAssignment = "QuestionnaireAssignment"

  /// Returns the categories that a resource shows; nil if it is only for the patient and guardians.
  ///
  /// Observations are not listed, because each is of one of two categories: see ``ObservationPart``.
  /// A resource that shows two categories is visible to those with whom both are shared: a dose names its
  /// medicine.
  static func shown(by resource: String) -> Set<DataCategory>? {
    switch resource {
    case "Patient": []
    case "Medication", "MedicationRequest", "MedicationStatement": [.medicines]
    case "Dose", "Delivery", "MedicationAdministration": [.medicines, .adherence]
    case "DoseState", questionnaireAssignment: [.adherence]
    case "QuestionnaireResponse": [.diary]
    case "Communication", chatMessage: [.messages]
    case "MedicationDispense": [.medicines, .stock]
    default: nil
    }
  }
}

/// The right of an account on one patient's data.
package struct PatientRight: Sendable, Hashable {
  /// The relationship of the account to the patient.
  package let relationship: Relationship
  /// The categories shared with the account; ignored for the patient and guardians.
  package let categories: Set<DataCategory>

  /// Creates a right; without `categories`, everything that can be shared is shared.
  ///
  /// An emergency never opens the diary.
  package init(
    _ relationship: Relationship, categories: Set<DataCategory> = Set(DataCategory.allCases)
  ) {
    self.relationship = relationship
    self.categories = relationship == .emergency ? categories.subtracting([.diary]) : categories
  }

  /// Returns true if the account may read a category.
  package func shares(_ category: DataCategory) -> Bool {
    relationship.actsForPatient || categories.contains(category)
  }

  /// Returns true if a resource is visible at all, whatever the action.
  ///
  /// - Parameter part: The Observations that the access is about; it has no meaning for other resources.
  func reaches(_ resource: String, _ part: ObservationPart = .measurements) -> Bool {
    if relationship.actsForPatient { return true }
    if relationship == .emergency, resource == "AllergyIntolerance" { return true }
    // Notes are private: the reading code shows each author only their own.
    if resource == "CareNote" { return relationship == .practitioner }
    if relationship == .emergency, resource == DataCategory.chatMessage { return false }
    if resource == ObservationPart.resource { return part.isVisible(with: categories) }
    return DataCategory.shown(by: resource)?.isSubset(of: categories) ?? false
  }

  /// Returns the right of an account that has two relationships to a patient: the stronger of the
  /// two, and for two that only read, the categories that either shares.
  package func joined(with other: PatientRight) -> PatientRight {
    let stronger = relationship.rank <= other.relationship.rank ? self : other
    guard !stronger.relationship.actsForPatient else { return stronger }
    return PatientRight(
      stronger.relationship, categories: categories.union(other.categories))
  }
}

extension Relationship {
  /// True for the patient and guardians, who read and change everything.
  package var actsForPatient: Bool {
    switch self {
    case .self_, .guardian: true
    case .family, .practitioner, .emergency: false
    }
  }

  fileprivate var rank: Int {
    switch self {
    case .self_: 0
    case .guardian: 1
    // Above shared access, because it shows everything that care needs.
    case .emergency: 2
    case .practitioner: 3
    case .family: 4
    }
  }
}
