// SPDX-License-Identifier: Apache-2.0

import Encodings
import Identifiers
import Storage

/// A sign-in at a provider that is in progress.
package struct ProviderVisit: AuthorizationVisit {
  /// The secret that travels through the address and back.
  package let state: Secret
  /// The secret that stays in the browser's cookie.
  package let browser: Secret

  /// The prefix of every state.
  package static let statePrefix = "rgo_"
  /// The prefix of every browser secret.
  package static let browserPrefix = "rgv_"
  /// The text that separates derived secrets: empty for this kind of visit.
  package static let derivation = ""

  /// Creates a visit from its two secrets.
  package init(state: Secret, browser: Secret) {
    self.state = state
    self.browser = browser
  }

  /// The purpose of a visit, recorded when it started.
  package struct Purpose: Sendable, Hashable {
    /// The name of the provider in this installation's settings.
    package let provider: String
    /// The account that is signed in and wants to link; nil for a sign-in.
    package let account: AccountID?
    /// The path to open afterwards; nil for the start page.
    package let next: String?

    /// Creates the purpose of a visit.
    package init(provider: String, account: AccountID?, next: String?) {
      self.provider = provider
      self.account = account
      self.next = next
    }
  }
}

extension AccountStore {
  /// Stores a visit with its purpose.
  package func begin(
    _ visit: ProviderVisit, _ purpose: ProviderVisit.Purpose, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    try ProviderVisitStore.insert(
      visit, purpose, expires: now.adding(milliseconds: ProviderVisit.lifetime), in: writer)
  }

  /// Ends a visit and returns its purpose; nil if it is unknown, has expired, or started in another browser.
  ///
  /// The visit is always deleted, so a state that comes back twice is invalid the second time.
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

  /// Stores the identity that a signed-in person has proved until it is confirmed on a page of this server.
  ///
  /// Returning from a provider changes nothing: another site can send a browser there, signed in as someone
  /// else.
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

  /// Links the identity of a ticket, once, to the account that it was offered to.
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
