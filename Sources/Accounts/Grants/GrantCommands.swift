// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// Changes to grants: the only source of access to a patient.
extension AccountStore {
  /// Grants an account a relationship to a patient, or renews it; the caller has decided that this
  /// is allowed.
  package func grant(
    _ relationship: Relationship, of patient: PatientID, to account: AccountID, from now: Timestamp,
    categories: Set<DataCategory> = Set(DataCategory.allCases), until ends: Timestamp? = nil,
    by actor: AccountID? = nil, in writer: any SQLWriter
  ) throws {
    try writer.execute(
      """
      INSERT INTO grants (patient, account, relationship, starts, ends, categories, granted_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (patient, account, relationship) DO UPDATE SET starts = excluded.starts,
        ends = excluded.ends, categories = excluded.categories, granted_by = excluded.granted_by,
        narrowed = NULL
      """,
      [
        SQLValue(patient), SQLValue(account), SQLValue(relationship.rawValue), SQLValue(now),
        SQLValue(ends), SQLValue(StoredCategories.text(categories)), SQLValue(actor),
      ])
    if let actor { auditGrant(.create, of: patient, account, at: now, by: actor, in: writer) }
  }

  /// Ends the relationship of an account to a patient at once.
  ///
  /// Everyone can leave. The patient can end every other grant, and a guardian those of family and
  /// practitioners. The patient's own grant cannot be ended, and the last guardian stays.
  package func endGrant(
    _ relationship: Relationship, of patient: PatientID, to account: AccountID, by actor: Actor,
    at now: Timestamp, in writer: any SQLWriter
  ) throws {
    // Do not reveal to a stranger if there is such a patient or grant.
    guard let own = actor.rights[patient] else { throw GrantError.notFound }
    let isLeaving = account == actor.accountID
    guard isLeaving || own.relationship.actsForPatient else { throw GrantError.notFound }
    let row = try writer.first(
      """
      SELECT 1 FROM grants WHERE patient = $1 AND account = $2 AND relationship = $3
        AND starts <= $4 AND (ends IS NULL OR ends > $4)
      """,
      [SQLValue(patient), SQLValue(account), SQLValue(relationship.rawValue), SQLValue(now)])
    guard row != nil else { throw GrantError.notFound }
    guard relationship != .self_ else { throw GrantError.notAllowed }
    if relationship == .guardian {
      guard isLeaving || own.relationship == .self_ else { throw GrantError.notAllowed }
      guard try isActedFor(patient, besides: account, at: now, in: writer) else {
        throw GrantError.lastGuardian
      }
    }
    try end(relationship, of: patient, to: account, at: now, in: writer)
    auditGrant(.delete, of: patient, account, at: now, by: actor.accountID, in: writer)
  }

  /// Changes the categories shared with family or a practitioner.
  package func share(
    _ categories: Set<DataCategory>, of patient: PatientID, with account: AccountID,
    as relationship: Relationship, by actor: Actor, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard actor.rights[patient]?.relationship.actsForPatient ?? false else {
      throw GrantError.notFound
    }
    guard !relationship.actsForPatient else { throw GrantError.notAllowed }
    guard !categories.isEmpty else { throw GrantError.nothingShared }
    let shared = try writer.first(
      """
      SELECT categories FROM grants WHERE patient = $1 AND account = $2 AND relationship = $3
        AND starts <= $4 AND (ends IS NULL OR ends > $4)
      """,
      [.text(patient), .text(account), .text(relationship.rawValue), SQLValue(now)]
    ).map { StoredCategories.read(try $0.value()) }
    guard let shared else { throw GrantError.notFound }
    // Links created earlier stay invalid when more is shared again.
    let narrowed = categories.isSuperset(of: shared) ? nil : now.milliseconds
    try writer.execute(
      """
      UPDATE grants SET categories = $1, granted_by = $2, narrowed = COALESCE($3, narrowed)
      WHERE patient = $4 AND account = $5 AND relationship = $6
      """,
      [
        SQLValue(StoredCategories.text(categories)), SQLValue(actor.accountID),
        SQLValue(narrowed), SQLValue(patient), SQLValue(account),
        SQLValue(relationship.rawValue),
      ])
    auditGrant(.update, of: patient, account, at: now, by: actor.accountID, in: writer)
  }

  func end(
    _ relationship: Relationship, of patient: PatientID, to account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    try writer.execute(
      "UPDATE grants SET ends = $1 WHERE patient = $2 AND account = $3 AND relationship = $4",
      [SQLValue(now), SQLValue(patient), SQLValue(account), SQLValue(relationship.rawValue)])
    guard relationship == .guardian else { return }
    // Someone who no longer acts for the patient can no longer invite.
    try GrantInvitationStore.withdraw(by: account, of: patient, at: now, in: writer)
  }

  func auditGrant(
    _ kind: AuditEntry.Kind, of patient: PatientID, _ account: AccountID, at now: Timestamp,
    by actor: AccountID, in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: actor, kind: kind, patient: patient, resource: "Grant",
        resourceID: account.text,
        purpose: Purpose.care.rawValue))
  }
}
