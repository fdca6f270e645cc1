// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// What is done to a resource.
package enum Action: String, Sendable, Hashable, CaseIterable {
  case read, search, create, update, delete
  /// Takes data out of the program: a file, a report, a feed.
  case export
}

/// Why it is done.
package enum Purpose: String, Sendable, Hashable, CaseIterable {
  /// The patient's treatment.
  case care
  /// A practitioner with a grant writes, stops or holds a prescription.
  case prescribing
  /// A look without a grant, because a life or health is in danger.
  case emergency
  /// Running the installation.
  case administration
  /// A connected program or the installation's own services.
  case system
}

/// Proof that ``decide(actor:action:patient:resource:purpose:)`` allowed one kind of access to one
/// patient's resources; nothing outside this module can make one.
package struct Authorization: Sendable, Hashable {
  package let actor: Actor
  package let action: Action
  package let patient: PatientID
  /// A FHIR type such as `MedicationRequest`, or one of the program's own resources.
  package let resource: String
  package let purpose: Purpose
}

/// Proof that a search was allowed, with the patients whose resources it may return.
package struct SearchAuthorization: Sendable, Hashable {
  package enum Patients: Sendable, Hashable {
    case all
    /// In ascending order; empty finds nothing.
    case only([PatientID])
  }

  package let actor: Actor
  package let resource: String
  package let purpose: Purpose
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

/// Why access was refused.
package enum DenialReason: Error, Sendable, Hashable {
  /// The actor is nothing to this patient.
  case noRelationship
  /// The patient does not share this with the actor.
  case notShared
  /// The relationship does not include this action.
  case actionNotAllowed(Relationship, Action)
  /// The purpose does not fit the way in which the actor signed in.
  case purposeNotAllowed(Purpose)
  /// The token was made for less.
  case scopeNotAllowed

  /// Whether the answer must be "not found", so that a stranger does not learn what exists.
  package var concealsExistence: Bool {
    switch self {
    case .noRelationship, .notShared: true
    case .actionNotAllowed, .purposeNotAllowed, .scopeNotAllowed: false
    }
  }
}
