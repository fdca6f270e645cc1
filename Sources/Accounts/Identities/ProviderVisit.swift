// SPDX-License-Identifier: Apache-2.0

import Encodings
import Identifiers
import Storage

/// A sign-in that is under way at a provider.
package struct ProviderVisit: AuthorizationVisit {
  package let state: Secret
  package let browser: Secret

  package static let statePrefix = "rgo_"
  package static let browserPrefix = "rgv_"
  package static let derivation = ""

  package init(state: Secret, browser: Secret) {
    self.state = state
    self.browser = browser
  }

  /// What was noted when it began.
  package struct Purpose: Sendable, Hashable {
    package let provider: String
    /// Who was signed in and wants to link; nil for somebody who wants to sign in.
    package let account: AccountID?
    package let next: String?

    package init(provider: String, account: AccountID?, next: String?) {
      self.provider = provider
      self.account = account
      self.next = next
    }
  }
}

extension AccountStore {
  /// Notes a visit.
  package func begin(
    _ visit: ProviderVisit, _ purpose: ProviderVisit.Purpose, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    try ProviderVisitStore.insert(
      visit, purpose, expires: now.adding(milliseconds: ProviderVisit.lifetime), in: writer)
  }

  /// What a visit was for; nil where it is unknown, over, or began in another browser.
  ///
  /// It is used up either way: a state that comes back twice is worth nothing the second time.
  package func end(
    _ visit: ProviderVisit, at now: Timestamp, in writer: any SQLWriter
  ) throws -> ProviderVisit.Purpose? {
    let row = try writer.first(Self.visitStatement, [.blob(visit.state.digest)])
    try ProviderVisitStore.delete(visit, in: writer)
    guard let noted = row?.read(ProviderVisitRow.self),
      try noted.blob(.browser) == visit.browser.digest, try noted.timestamp(.expires) > now
    else { return nil }
    return ProviderVisit.Purpose(
      provider: try noted.text(.provider), account: try noted.optionalID(.account),
      next: try noted.optionalText(.nextPath))
  }

  private static let visitStatement = SQLStatement(
    "SELECT \(ProviderVisitRow.columns) FROM provider_visits WHERE state = $1")

  /// Keeps what a signed-in person has proved until it is confirmed on a page of ours.
  ///
  /// Coming back from a provider changes nothing: another site can send a browser there, signed in as
  /// somebody else.
  package func offer(
    _ proven: ProvenIdentity, ticket: Secret, to account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    let sealed = try cipher.seal(proven.label, context: Self.offerContext(ticket))
    try ProviderVisitStore.insert(
      NewIdentityOfferRow(
        ticket: ticket.digest, account: account, provider: proven.provider,
        subjectIndex: subjectIndex(proven), labelSealed: sealed,
        expires: now.adding(milliseconds: ProviderVisit.lifetime)), in: writer)
  }

  /// Links what a ticket stands for, once, to the account that it was offered to.
  package func accept(
    ticket: Secret, by account: AccountID, as id: String, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    let row = try writer.first(
      Self.offerStatement, [.blob(ticket.digest), .text(account), SQLValue(now)])
    guard let offer = row?.read(IdentityOfferRow.self) else { throw IdentityError.notFound }
    try ProviderVisitStore.deleteOffer(ticket: ticket.digest, in: writer)
    try link(
      try offer.blob(.subjectIndex),
      label: try cipher.open(
        try offer.blob(.labelSealed), context: Self.offerContext(ticket)),
      provider: try offer.text(.provider), to: account, as: id, at: now, in: writer)
  }

  private static let offerStatement = SQLStatement(
    """
    SELECT \(IdentityOfferRow.columns) FROM identity_offers
    WHERE ticket = $1 AND account = $2 AND expires > $3
    """)

  private static func offerContext(_ ticket: Secret) -> String {
    "identity_offers:\(Hexadecimal.encode(ticket.digest)):label_sealed"
  }
}

enum ProviderVisitRow: SQLRowType {
  enum Column: Int, SQLColumn { case browser, provider, account, nextPath, expires }

  static let columns = SQLColumns<Column>()
}

enum IdentityOfferRow: SQLRowType {
  enum Column: Int, SQLColumn { case provider, subjectIndex, labelSealed }

  static let columns = SQLColumns<Column>()
}
