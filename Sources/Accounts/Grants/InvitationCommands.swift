// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// Invitations: one side invites, the other accepts, the first confirms.
extension AccountStore {
  /// Offers a relationship to a patient and returns the id of the invitation; only those who act
  /// for the patient can.
  @discardableResult
  package func invite(
    _ offer: GrantInvitation.Offer, of patient: PatientID, id: InvitationID, code: InvitationCode,
    by actor: Actor, at now: Timestamp, in writer: any SQLWriter
  ) throws -> InvitationID {
    guard let own = actor.rights[patient], own.relationship.actsForPatient else {
      throw GrantError.notFound
    }
    guard ![.self_, .emergency].contains(offer.relationship) else {
      throw GrantError.notAllowed
    }
    let acts = offer.relationship.actsForPatient
    guard acts || !offer.categories.isEmpty else { throw GrantError.nothingShared }
    if let ends = offer.ends, ends <= now { throw GrantError.endsInThePast }
    // A guardian with an end date would one day leave the patient with no one.
    guard !acts || offer.ends == nil else { throw GrantError.notAllowed }
    guard !offer.handsOver || (acts && own.relationship == .guardian) else {
      throw GrantError.notAllowed
    }
    let waiting = try invitations(of: patient, at: now, in: writer).count
    guard waiting < GrantInvitation.maximumWaiting else {
      throw GrantError.tooManyInvitations(maximum: GrantInvitation.maximumWaiting)
    }
    try GrantInvitationStore.insert(
      NewGrantInvitationRow(
        patient: patient, invitation: id, codeIndex: codeIndex(code),
        codeSealed: try sealCode(code, of: id), offer: offer, invitedBy: actor.accountID,
        created: now), in: writer)
    auditInvitation(.create, of: patient, id, at: now, by: actor.accountID, in: writer)
    return id
  }

  /// Accepts an invitation; it grants nothing before it is confirmed.
  @discardableResult
  package func accept(
    invitation code: InvitationCode, by actor: Actor, at now: Timestamp, in writer: any SQLWriter
  ) throws -> GrantInvitation {
    guard let found = try invitation(code: code, at: now, in: writer) else {
      throw GrantError.codeRefused
    }
    guard found.invitedBy != actor.accountID else { throw GrantError.oneself }
    try check(found, for: actor.accountID, at: now, in: writer)
    try GrantInvitationStore.set(
      .accepted, acceptedBy: actor.accountID, of: found, at: now, in: writer)
    auditInvitation(
      .update, of: found.patient, found.id, at: now, by: actor.accountID, in: writer)
    return found
  }

  /// Declines an invitation; its code becomes invalid for everyone.
  package func decline(
    invitation code: InvitationCode, by actor: Actor, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard let found = try invitation(code: code, at: now, in: writer) else {
      throw GrantError.codeRefused
    }
    try GrantInvitationStore.set(.declined, acceptedBy: nil, of: found, at: now, in: writer)
    auditInvitation(
      .update, of: found.patient, found.id, at: now, by: actor.accountID, in: writer)
  }

  /// Confirms the account that accepted: only now does the invitation become a grant.
  @discardableResult
  package func confirm(
    invitation id: InvitationID, of patient: PatientID, by actor: Actor, at now: Timestamp,
    in writer: any SQLWriter
  ) throws -> GrantInvitation {
    let found = try waiting(id, of: patient, for: actor, at: now, in: writer)
    guard found.state == .accepted, let account = found.acceptedBy else {
      throw GrantError.notFound
    }
    try check(found, for: account, at: now, in: writer)
    if let ends = found.ends, ends <= now { throw GrantError.endsInThePast }
    try GrantInvitationStore.set(
      .confirmed, acceptedBy: account, of: found, at: now, in: writer)
    try grant(
      found.right.relationship, of: patient, to: account, from: now,
      categories: found.right.categories, until: found.ends, by: actor.accountID, in: writer)
    if found.handsOver {
      try end(.guardian, of: patient, to: found.invitedBy, at: now, in: writer)
      auditGrant(.delete, of: patient, found.invitedBy, at: now, by: actor.accountID, in: writer)
    }
    return found
  }

  /// Withdraws an invitation, accepted or not.
  package func withdraw(
    invitation id: InvitationID, of patient: PatientID, by actor: Actor, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    let found = try waiting(id, of: patient, for: actor, at: now, in: writer)
    try GrantInvitationStore.set(
      .withdrawn, acceptedBy: found.acceptedBy, of: found, at: now, in: writer)
    auditInvitation(.update, of: patient, id, at: now, by: actor.accountID, in: writer)
  }

  // MARK: Parts

  private func waiting(
    _ id: InvitationID, of patient: PatientID, for actor: Actor, at now: Timestamp,
    in writer: any SQLWriter
  ) throws -> GrantInvitation {
    guard actor.rights[patient]?.relationship.actsForPatient ?? false,
      let found = try invitation(id, of: patient, at: now, in: writer)
    else { throw GrantError.notFound }
    return found
  }

  /// Checks that an account may have the offered relationship now.
  func check(
    _ invitation: GrantInvitation, for account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    let offered = invitation.right.relationship
    if let own = try rights(of: account, at: now, in: writer)[invitation.patient] {
      if own.relationship == .self_ { throw GrantError.oneself }
      // A guardian gains nothing; family or a practitioner may become a guardian or see more.
      guard !own.relationship.actsForPatient else { throw GrantError.alreadyGranted }
      if own == invitation.right { throw GrantError.alreadyGranted }
    }
    if offered == .guardian,
      try wouldBeCircular(guardian: account, of: invitation.patient, at: now, in: writer)
    {
      throw GrantError.circular
    }
  }

  func auditInvitation(
    _ kind: AuditEntry.Kind, of patient: PatientID, _ id: InvitationID,
    at now: Timestamp, by actor: AccountID,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: actor, kind: kind, patient: patient, resource: "Invitation",
        resourceID: id.text, purpose: Purpose.care.rawValue))
  }
}
