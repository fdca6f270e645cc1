// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// A patient asks a practitioner of the directory: an invitation that one account alone can take up.
///
/// The patient has said yes by choosing the practitioner, the practitioner says yes by taking it up.
extension AccountStore {
  /// Asks a practitioner to look after a patient; whoever acts for the patient may.
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

  /// The patients who ask an account and have no answer yet, the latest first.
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

  /// Takes a patient's request up, or not; taken up it holds at once.
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

  /// What is shared with an account as a practitioner, whatever else it is to the patient; nil where it
  /// does not look after the patient.
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
