// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The statements that change the table `grant_invitations`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum GrantInvitationStore {
  static func insert(_ row: NewGrantInvitationRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO grant_invitations (\(NewGrantInvitationRow.columns))
    VALUES (\(NewGrantInvitationRow.placeholders))
    """)

  /// Reserves an invitation for a practitioner.
  static func set(
    asked practitioner: AccountID, of invitation: InvitationID, patient: PatientID,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE grant_invitations SET asked = $1 WHERE patient = $2 AND invitation = $3",
      [.text(practitioner), .text(patient), .text(invitation)])
  }

  static func set(
    _ state: GrantInvitation.State, acceptedBy account: AccountID?,
    of invitation: GrantInvitation, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE grant_invitations SET state = $1, accepted_by = $2, changed = $3
      WHERE patient = $4 AND invitation = $5
      """,
      [
        .text(state.rawValue), SQLValue(account), SQLValue(now), .text(invitation.patient),
        .text(invitation.id),
      ])
  }

  /// Withdraws all waiting invitations of an account, because it no longer acts for the patient.
  static func withdraw(
    by account: AccountID, of patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE grant_invitations SET state = 'withdrawn', changed = $1
      WHERE patient = $2 AND invited_by = $3 AND state IN ('open', 'accepted')
      """, [SQLValue(now), .text(patient), .text(account)])
  }

  /// Withdraws all invitations that an account accepted and no one has confirmed, because the account is
  /// erased.
  static func withdraw(
    acceptedBy account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE grant_invitations SET state = 'withdrawn', changed = $1
      WHERE accepted_by = $2 AND state = 'accepted'
      """, [SQLValue(now), .text(account)])
  }
}

/// A new row of `grant_invitations`.
struct NewGrantInvitationRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, invitation, codeIndex, codeSealed, relationship, categories, ends, handsOver
    case invitedBy, created, expires, state, changed
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let invitation: InvitationID
  let codeIndex: [UInt8]
  let codeSealed: [UInt8]
  let offer: GrantInvitation.Offer
  let invitedBy: AccountID
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .invitation: .text(invitation)
    case .codeIndex: .blob(codeIndex)
    case .codeSealed: .blob(codeSealed)
    case .relationship: .text(offer.relationship.rawValue)
    case .categories: .text(StoredCategories.text(offer.categories))
    case .ends: SQLValue(offer.ends)
    case .handsOver: SQLValue(offer.handsOver)
    case .invitedBy: .text(invitedBy)
    case .created, .changed: SQLValue(created)
    case .expires: SQLValue(created.adding(milliseconds: GrantInvitation.lifetime))
    case .state: .text(GrantInvitation.State.open.rawValue)
    }
  }
}
