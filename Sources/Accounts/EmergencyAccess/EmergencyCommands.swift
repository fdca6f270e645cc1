// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The commands that open, end and review emergency access.
extension AccountStore {
  /// Opens a person's data to a confirmed practitioner, audited in the same transaction.
  ///
  /// The caller has asked for the password again, and notifies those who act for the person.
  package func openEmergency(
    _ id: EmergencyID, patient: PatientID, by actor: Actor, name: String, reason: String,
    at now: Timestamp, in writer: any SQLWriter
  ) throws -> EmergencyAccess {
    try checkEmergency(actor, reason: reason, in: writer)
    guard actor.rights[patient]?.relationship.actsForPatient != true else {
      throw EmergencyError.needless
    }
    let access = EmergencyAccess(
      id: id, patient: patient, account: actor.accountID, byName: name, reason: reason,
      started: now, ends: now.adding(milliseconds: EmergencyAccess.lifetime), reviewed: nil)
    try EmergencyStore.insert(access, in: writer)
    auditEmergency(.emergencyAccess, access, by: actor.accountID, .emergency, at: now, in: writer)
    return access
  }

  /// Throws unless an actor may open someone's data with a reason; called before the person is
  /// looked up.
  package func checkEmergency(
    _ actor: Actor, reason: String, in reader: any SQLReader
  ) throws {
    guard actor.kind == .session, try isPractitioner(actor.accountID, in: reader) else {
      throw EmergencyError.notAllowed
    }
    let length = reason.count
    guard length >= EmergencyAccess.reasonLength.lowerBound else {
      throw EmergencyError.reasonTooShort
    }
    guard length <= EmergencyAccess.reasonLength.upperBound else {
      throw EmergencyError.reasonTooLong
    }
  }

  /// Audits a search with an identity for which no person was found.
  package func noteMissedEmergency(
    by actor: Actor, at now: Timestamp, in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: actor.accountID, kind: .emergencyAccess, patient: nil, resource: "Patient",
        purpose: Purpose.emergency.rawValue, outcome: .denied))
  }

  /// Ends an emergency access early; only the account that opened it can do so.
  package func endEmergency(
    _ id: EmergencyID, by account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard
      let access = try emergencies(by: account, at: now, in: writer).first(where: { $0.id == id })
    else { throw EmergencyError.notFound }
    try EmergencyStore.end(access, at: now, in: writer)
    auditEmergency(.update, access, by: account, .emergency, at: now, in: writer)
  }

  /// Marks an emergency access as reviewed by an administrator other than the account that opened
  /// it.
  package func reviewEmergency(
    _ id: EmergencyID, by account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard let access = try emergency(id, in: writer) else { throw EmergencyError.notFound }
    guard access.account != account else { throw EmergencyError.oneself }
    guard try EmergencyStore.review(access, by: account, at: now, in: writer) else { return }
    auditEmergency(.update, access, by: account, .administration, at: now, in: writer)
  }

  private func auditEmergency(
    _ kind: AuditEntry.Kind, _ access: EmergencyAccess, by actor: AccountID, _ purpose: Purpose,
    at now: Timestamp, in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: actor, kind: kind, patient: access.patient, resource: "Emergency",
        resourceID: access.id.text, purpose: purpose.rawValue))
  }
}
