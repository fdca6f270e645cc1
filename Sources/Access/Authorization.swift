// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// An action on a resource.
package enum Action: String, Sendable, Hashable, CaseIterable {
  case read, search, create, update, delete
  /// An export of data from the program: a file, a report, a feed.
  case export
}

/// The purpose of an action.
package enum Purpose: String, Sendable, Hashable, CaseIterable {
  /// The patient's treatment.
  case care
  /// A practitioner with a grant writes, stops or pauses a prescription.
  case prescribing
  /// Access without a grant, because a life or health is in danger.
  case emergency
  /// Running the installation.
  case administration
  /// A connected program or the installation's own services.
  case system
}

/// Proof that ``decide(actor:action:patient:resource:purpose:part:)`` allowed one kind of access to one patient's
/// resources.
///
/// Nothing outside this module can create one.
package struct Authorization: Sendable, Hashable {
  /// The actor that was allowed.
  package let actor: Actor
  /// The action that was allowed.
  package let action: Action
  /// The patient whose resources may be accessed.
  package let patient: PatientID
  /// A FHIR type such as `MedicationRequest`, or one of the program's own resources.
  package let resource: String
  /// The purpose of the access, written to the audit trail.
  package let purpose: Purpose
}

/// Proof that a search was allowed, with the patients whose resources it may return.
package struct SearchAuthorization: Sendable, Hashable {
  /// The patients whose resources a search may return.
  package enum Patients: Sendable, Hashable {
    case all
    /// The given patients, in ascending order; an empty list finds nothing.
    case only([PatientID])
  }

  /// The actor that searches.
  package let actor: Actor
  /// The FHIR type, or one of the program's own resources, that may be searched.
  package let resource: String
  /// The purpose of the search, written to the audit trail.
  package let purpose: Purpose
  /// The patients whose resources the search may return.
  package let patients: Patients
}

/// The answer to a request for access.
package enum Decision: Sendable, Hashable {
  case allow(Authorization)
  case deny(DenialReason)
}

/// The answer to a request to search.
package enum SearchDecision: Sendable, Hashable {
  case allow(SearchAuthorization)
  case deny(DenialReason)
}

/// A reason for refusing access.
package enum DenialReason: Error, Sendable, Hashable {
  /// The actor has no relationship to this patient.
  case noRelationship
  /// The patient does not share this with the actor.
  case notShared
  /// The relationship does not include this action.
  case actionNotAllowed(Relationship, Action)
  /// The purpose is not allowed for the way in which the actor signed in.
  case purposeNotAllowed(Purpose)
  /// The token's scope does not include it.
  case scopeNotAllowed

  /// True if the answer must be "not found", so that a stranger does not learn what exists.
  package var concealsExistence: Bool {
    switch self {
    case .noRelationship, .notShared: true
    case .actionNotAllowed, .purposeNotAllowed, .scopeNotAllowed: false
    }
  }
}
