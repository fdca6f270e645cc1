// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// A relationship offered to anyone with the code, until both sides have agreed.
package struct GrantInvitation: Sendable, Hashable {
  /// The state of an invitation.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// No one has accepted it yet.
    case open
    /// Someone has accepted it; the patient's side must confirm that it is the right person.
    case accepted
    case confirmed, declined, withdrawn
  }

  /// The identifier of the invitation.
  package let id: InvitationID
  /// The patient whose data is offered.
  package let patient: PatientID
  /// The code that opens the invitation.
  package let code: String
  /// The relationship and categories that are offered.
  package let right: PatientRight
  /// The end of the future grant; nil for no end.
  package let ends: Timestamp?
  /// True if the inviting guardian's own grant ends when it is confirmed.
  package let handsOver: Bool
  /// The account that invites.
  package let invitedBy: AccountID
  /// The time at which the code, or the wait for confirmation, ends.
  package let expires: Timestamp
  /// The state of the invitation.
  package let state: State
  /// The account that accepted; nil if none has.
  package let acceptedBy: AccountID?
  /// The only practitioner's account that can accept; nil for an invitation by code.
  package let asked: AccountID?

  /// The content of a new invitation.
  package struct Offer: Sendable, Hashable {
    /// The relationship that is offered.
    package var relationship: Relationship
    /// The categories to share; ignored for a guardian.
    package var categories: Set<DataCategory>
    /// The end of the future grant; nil for no end.
    package var ends: Timestamp?
    /// True if the guardian who invites gives up their own grant in exchange.
    package var handsOver: Bool

    /// Creates an offer.
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

  /// The lifetime of a code, and then of the wait for confirmation: 7 days in milliseconds.
  package static let lifetime: Int64 = 7 * 24 * 3_600_000
  /// The maximum number of waiting invitations of a patient.
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

  /// Returns the waiting invitations of a patient, the latest first.
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

  /// Returns one waiting invitation of a patient; nil if there is none of that id.
  package func invitation(
    _ id: InvitationID, of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws -> GrantInvitation? {
    try invitations(of: patient, at: now, in: reader).first { $0.id == id }
  }

  /// Returns the invitations that an account has accepted and that wait for confirmation.
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

  /// Returns the accepted invitations that an account can confirm: those to all people for whom it acts.
  package func acceptedInvitations(
    confirmedBy account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws -> [GrantInvitation] {
    try reader.query(Self.confirmableStatement, [.text(account), SQLValue(now)])
      .compactMap(invitation)
  }

  private static let confirmableStatement = SQLStatement(
    """
    SELECT \(GrantInvitationRow.columns) FROM grant_invitations
    WHERE patient IN (SELECT patient FROM grants WHERE account = $1
        AND relationship IN ('self', 'guardian') AND starts <= $2 AND (ends IS NULL OR ends > $2))
      AND state = 'accepted' AND expires > $2
    ORDER BY created DESC, invitation
    """)

  /// Returns the invitation that a code opens; nil unless it is open and for anyone with the code.
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

  /// Reads a ``GrantInvitationRow`` and decrypts its code; nil for words from a newer program.
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

/// The columns of `grant_invitations` for a ``GrantInvitation``; its code is still encrypted.
enum GrantInvitationRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case invitation, patient, codeSealed, relationship, categories, ends, handsOver
    case invitedBy, expires, state, acceptedBy, asked
  }

  static let columns = SQLColumns<Column>()
}
