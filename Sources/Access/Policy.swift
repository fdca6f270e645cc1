// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// Decides one request for access; anything that no rule allows is denied.
///
/// - A relationship allows the actions of its kind, for the purpose of care; family and
///   practitioners see only the categories that are shared with them, and anything else looks as if
///   it did not exist. They write messages if those are shared, and nothing else. The access log,
///   copies of everything and erasing are only for the patient and guardians.
/// - The diary and other measurements are Observations of two categories: see ``ObservationPart``.
/// - An emergency shows a confirmed practitioner what care needs, for the purpose of an emergency
///   and no other. It changes nothing, and exports nothing as a file, a report or a feed.
/// - A practitioner with whom medicines are shared creates and changes prescriptions in a session of its own,
///   for the purpose of prescribing and no other, and keeps notes. One with whom answers to doses are shared asks for
///   answers to questionnaires.
/// - System scope on a token or on the host reaches every patient, for care or as a system.
/// - A token that only sends vitals creates Observations of its patient, and neither reads nor changes
///   anything.
/// - A device in the home adds its events, and answers the doses of its patient while the account that added it may.
/// - A researcher's token reaches no patient at all: it opens the export and the counts of one study, which
///   ``decideStudy(actor:action:study:)`` decides.
/// - A read-only token cannot create, change or delete anything.
/// - An app does what its scopes name, and never more than its account: see ``AppScope``.
/// - Being an administrator opens nothing.
///
/// - Parameter part: The Observations that the access is about; it has no meaning for other resources.
package func decide(
  actor: Actor,
  action: Action,
  patient: PatientID,
  resource: String,
  purpose: Purpose,
  part: ObservationPart = .measurements
) -> Decision {
  if let reason = denial(
    actor: actor, action: action, patient: patient, resource: resource, purpose: purpose,
    part: part)
  {
    return .deny(reason)
  }
  return .allow(
    Authorization(
      actor: actor, action: action, patient: patient, resource: resource, purpose: purpose))
}

/// Decides a search; without a patient it covers every patient that the actor may search.
///
/// An actor without any patient is allowed a search that finds nothing.
///
/// - Parameter part: The Observations that are searched; it has no meaning for other resources.
package func decideSearch(
  actor: Actor,
  resource: String,
  patient: PatientID?,
  purpose: Purpose,
  part: ObservationPart = .measurements
) -> SearchDecision {
  let patients: SearchAuthorization.Patients
  if let patient {
    if let reason = denial(
      actor: actor, action: .search, patient: patient, resource: resource, purpose: purpose,
      part: part)
    {
      return .deny(reason)
    }
    patients = .only([patient])
  } else if actor.reachesEveryPatient {
    guard purposeFits(purpose, systemWide: true, kind: actor.kind) else {
      return .deny(.purposeNotAllowed(purpose))
    }
    guard actor.isWithinApp(.search, resource) else { return .deny(.scopeNotAllowed) }
    patients = .all
  } else {
    // An app learns that it did not ask for this, instead of an empty result.
    guard actor.isWithinApp(.search, resource) else { return .deny(.scopeNotAllowed) }
    let owners = actor.rights.keys.sorted()
    let denials = owners.map { owner in
      denial(
        actor: actor, action: .search, patient: owner, resource: resource, purpose: purpose,
        part: part)
    }
    // A purpose that is never allowed is an error to report, not an empty result.
    if !denials.contains(nil), case .purposeNotAllowed? = denials.first.flatMap({ $0 }) {
      return .deny(.purposeNotAllowed(purpose))
    }
    patients = .only(zip(owners, denials).filter { $0.1 == nil }.map(\.0))
  }
  return .allow(
    SearchAuthorization(actor: actor, resource: resource, purpose: purpose, patients: patients))
}

/// Decides access to a resource that belongs to no patient, such as a professional or a medicine.
///
/// Everyone who is signed in reads and searches these; only system scope on a token or on the host writes them. A
/// token that only sends vitals reads nothing.
package func decideShared(
  actor: Actor, action: Action, resource: String, purpose: Purpose
) -> Decision {
  if let reason = sharedDenial(
    actor: actor, action: action, resource: resource, purpose: purpose)
  {
    return .deny(reason)
  }
  return .allow(
    Authorization(
      actor: actor, action: action, patient: .shared, resource: resource, purpose: purpose))
}

/// Decides a search of resources that belong to no patient, as for reading one.
package func decideSharedSearch(
  actor: Actor, resource: String, purpose: Purpose
) -> SearchDecision {
  if let reason = sharedDenial(
    actor: actor, action: .search, resource: resource, purpose: purpose)
  {
    return .deny(reason)
  }
  return .allow(
    SearchAuthorization(actor: actor, resource: resource, purpose: purpose, patients: .all))
}

private func sharedDenial(
  actor: Actor, action: Action, resource: String, purpose: Purpose
) -> DenialReason? {
  guard purposeFits(purpose, systemWide: actor.reachesEveryPatient, kind: actor.kind) else {
    return .purposeNotAllowed(purpose)
  }
  guard actor.scopeIncludes(action, resource, of: .shared) else { return .scopeNotAllowed }
  switch action {
  case .read, .search: return nil
  case .create, .update, .delete, .export:
    return actor.reachesEveryPatient ? nil : .scopeNotAllowed
  }
}

private func denial(
  actor: Actor,
  action: Action,
  patient: PatientID,
  resource: String,
  purpose: Purpose,
  part: ObservationPart
) -> DenialReason? {
  if actor.reachesEveryPatient {
    guard purposeFits(purpose, systemWide: true, kind: actor.kind) else {
      return .purposeNotAllowed(purpose)
    }
    return actor.scopeIncludes(action, resource, of: patient) ? nil : .scopeNotAllowed
  }
  guard let right = actor.rights[patient] else { return .noRelationship }
  guard fits(purpose, right.relationship, kind: actor.kind) else {
    return .purposeNotAllowed(purpose)
  }
  guard actor.scopeIncludes(action, resource, of: patient) else { return .scopeNotAllowed }
  guard right.reaches(resource, part) else { return .notShared }
  guard right.relationship.allows(action, resource, for: purpose) else {
    return .actionNotAllowed(right.relationship, action)
  }
  return nil
}

private func fits(_ purpose: Purpose, _ relationship: Relationship, kind: Actor.Kind) -> Bool {
  if relationship == .emergency { return purpose == .emergency && kind == .session }
  if purpose == .prescribing { return relationship == .practitioner && kind == .session }
  return purposeFits(purpose, systemWide: false, kind: kind)
}

private func purposeFits(_ purpose: Purpose, systemWide: Bool, kind: Actor.Kind) -> Bool {
  switch purpose {
  case .care: true
  case .emergency, .prescribing: false
  case .system: systemWide
  case .administration: kind == .host
  }
}
