// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// A relationship that is offered to whoever has the code, until both sides have said yes.
package struct GrantInvitation: Sendable, Hashable {
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// Nobody has taken it up yet.
    case open
    /// Somebody has; those who invite confirm that it is the right person.
    case accepted
    case confirmed, declined, withdrawn
  }

  package let id: InvitationID
  package let patient: PatientID
  package let code: String
  package let right: PatientRight
  /// Until when the grant holds that it becomes; open ended when nil.
  package let ends: Timestamp?
  /// Whether the guardian who invites goes when it is confirmed.
  package let handsOver: Bool
  /// The account.
  package let invitedBy: AccountID
  package let expires: Timestamp
  package let state: State
  /// The account.
  package let acceptedBy: AccountID?
  /// The account of the practitioner who was asked; its code is good for nobody then.
  package let asked: AccountID?

  /// What it is made from.
  package struct Offer: Sendable, Hashable {
    package var relationship: Relationship
    package var categories: Set<DataCategory>
    package var ends: Timestamp?
    package var handsOver: Bool

    package init(
      _ relationship: Relationship, categories: Set<DataCategory>, ends: Timestamp? = nil,
      handsOver: Bool = false
    ) {
      self.relationship = relationship
      self.categories = categories
      self.ends = ends
      self.handsOver = handsOver
    }
  }

  /// How long a code is good, and how long its acceptance waits: 7 days in milliseconds.
  package static let lifetime: Int64 = 7 * 24 * 3_600_000
  /// How many of a patient may wait at a time.
  package static let maximumWaiting = 20
}

/// The rows of `grant_invitations`.
extension AccountStore {
  private static let codeContext = "grant_invitations:code"

  func codeIndex(_ code: InvitationCode) -> [UInt8] {
    cipher.blindIndex(code.folded, context: Self.codeContext)
  }

  func sealCode(_ code: InvitationCode, of invitation: InvitationID) throws -> [UInt8] {
    try cipher.seal(code.text, context: "\(Self.codeContext):\(invitation)")
  }

  /// Invitations of a patient that wait, the latest first.
  package func invitations(
    of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws -> [GrantInvitation] {
    try reader.query(Self.waitingStatement, [.text(patient), SQLValue(now)])
      .compactMap(invitation)
  }

  private static let waitingStatement = SQLStatement(
    """
    SELECT \(GrantInvitationRow.columns) FROM grant_invitations
    WHERE patient = $1 AND state IN ('open', 'accepted') AND expires > $2
    ORDER BY created DESC, invitation
    """)

  /// One invitation of a patient that waits.
  package func invitation(
    _ id: InvitationID, of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws -> GrantInvitation? {
    try invitations(of: patient, at: now, in: reader).first { $0.id == id }
  }

  /// What an account has accepted and others have yet to confirm.
  package func acceptedInvitations(
    by account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws -> [GrantInvitation] {
    try reader.query(Self.acceptedStatement, [.text(account), SQLValue(now)])
      .compactMap(invitation)
  }

  private static let acceptedStatement = SQLStatement(
    """
    SELECT \(GrantInvitationRow.columns) FROM grant_invitations
    WHERE accepted_by = $1 AND state = 'accepted' AND expires > $2
    ORDER BY created DESC, invitation
    """)

  /// The invitation that a code opens: one that nobody has taken up yet.
  package func invitation(
    code: InvitationCode, at now: Timestamp, in reader: any SQLReader
  ) throws -> GrantInvitation? {
    try reader.first(Self.byCodeStatement, [.blob(codeIndex(code)), SQLValue(now)])
      .flatMap(invitation)
  }

  private static let byCodeStatement = SQLStatement(
    """
    SELECT \(GrantInvitationRow.columns) FROM grant_invitations
    WHERE code_index = $1 AND state = 'open' AND expires > $2 AND asked IS NULL
    """)

  /// Reads a ``GrantInvitationRow`` and opens its code; nil for words that a newer program wrote.
  func invitation(_ row: SQLRow) throws -> GrantInvitation? {
    let row = row.read(GrantInvitationRow.self)
    let id: InvitationID = try row.id(.invitation)
    guard let relationship = Relationship(rawValue: try row.text(.relationship)),
      let state = GrantInvitation.State(rawValue: try row.text(.state))
    else { return nil }
    let categories = StoredCategories.read(try row.text(.categories))
    return GrantInvitation(
      id: id, patient: try row.id(.patient),
      code: try cipher.open(try row.blob(.codeSealed), context: "\(Self.codeContext):\(id)"),
      right: PatientRight(relationship, categories: categories),
      ends: try row.optionalTimestamp(.ends), handsOver: try row.bool(.handsOver),
      invitedBy: try row.id(.invitedBy), expires: try row.timestamp(.expires), state: state,
      acceptedBy: try row.optionalID(.acceptedBy), asked: try row.optionalID(.asked))
  }
}

/// The columns of `grant_invitations` that make a ``GrantInvitation``; its code is still sealed.
enum GrantInvitationRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case invitation, patient, codeSealed, relationship, categories, ends, handsOver
    case invitedBy, expires, state, acceptedBy, asked
  }

  static let columns = SQLColumns<Column>()
}
