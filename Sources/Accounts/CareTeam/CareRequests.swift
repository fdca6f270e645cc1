// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// Requests of patients to a practitioner of the directory: invitations that only one account can
/// accept.
///
/// The patient agrees by choosing the practitioner, and the practitioner by accepting.
extension AccountStore {
  /// Asks a practitioner to care for a patient; only those who act for the patient can.
  package func ask(
    _ practitioner: AccountID, categories: Set<DataCategory>, of patient: PatientID,
    id: InvitationID, code: InvitationCode, by actor: Actor, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    guard practitioner != actor.accountID else { throw GrantError.oneself }
    guard try isPractitioner(practitioner, in: writer) else { throw GrantError.notFound }
    guard try careRight(practitioner, of: patient, at: now, in: writer) == nil else {
      throw GrantError.alreadyGranted
    }
    let own = try rights(of: practitioner, at: now, in: writer)[patient]
    guard own?.relationship.actsForPatient != true else { throw GrantError.oneself }
    let waiting = try invitations(of: patient, at: now, in: writer)
    guard !waiting.contains(where: { $0.asked == practitioner }) else {
      throw GrantError.alreadyGranted
    }
    try invite(
      GrantInvitation.Offer(.practitioner, categories: categories), of: patient, id: id,
      code: code, by: actor, at: now, in: writer)
    try GrantInvitationStore.set(asked: practitioner, of: id, patient: patient, in: writer)
  }

  /// Returns the open requests of patients to an account, the latest first.
  package func requests(
    to practitioner: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws -> [GrantInvitation] {
    try reader.query(Self.requestsStatement, [.text(practitioner), SQLValue(now)])
      .compactMap(invitation)
  }

  private static let requestsStatement = SQLStatement(
    """
    SELECT \(GrantInvitationRow.columns) FROM grant_invitations
    WHERE asked = $1 AND state = 'open' AND expires > $2 ORDER BY created DESC, invitation
    """)

  /// Accepts or declines a patient's request; an accepted one becomes a grant at once.
  ///
  /// Returns the request.
  package func answer(
    request id: InvitationID, isAccepted: Bool, by actor: Actor, at now: Timestamp,
    in writer: any SQLWriter
  ) throws -> GrantInvitation {
    let waiting = try requests(to: actor.accountID, at: now, in: writer)
    guard let found = waiting.first(where: { $0.id == id }) else { throw GrantError.notFound }
    if isAccepted { try check(found, for: actor.accountID, at: now, in: writer) }
    try GrantInvitationStore.set(
      isAccepted ? .confirmed : .declined, acceptedBy: isAccepted ? actor.accountID : nil,
      of: found, at: now, in: writer)
    auditInvitation(.update, of: found.patient, id, at: now, by: actor.accountID, in: writer)
    if isAccepted {
      try grant(
        .practitioner, of: found.patient, to: actor.accountID, from: now,
        categories: found.right.categories, until: found.ends, by: found.invitedBy, in: writer)
    }
    return found
  }

  /// Returns the right of an account as a practitioner, whatever other relationship it has to the
  /// patient; nil if it is not the patient's practitioner.
  package func careRight(
    _ account: AccountID, of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> PatientRight? {
    let row = try reader.first(
      """
      SELECT categories FROM grants
      WHERE patient = $1 AND account = $2 AND relationship = 'practitioner' AND starts <= $3
        AND (ends IS NULL OR ends > $3)
      """, [.text(patient), .text(account), SQLValue(now)])
    guard let row else { return nil }
    return PatientRight(.practitioner, categories: StoredCategories.read(try row.value()))
  }
}
