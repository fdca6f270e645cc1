// SPDX-License-Identifier: Apache-2.0

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
    try writer.execute(
      """
      INSERT INTO provider_visits (state, browser, provider, account, next_path, expires)
      VALUES ($1, $2, $3, $4, $5, $6)
      """,
      [
        .blob(visit.state.digest), .blob(visit.browser.digest), .text(purpose.provider),
        SQLValue(purpose.account), SQLValue(purpose.next),
        SQLValue(now.adding(milliseconds: ProviderVisit.lifetime)),
      ])
  }

  /// What a visit was for; nil where it is unknown, over, or began in another browser.
  ///
  /// It is used up either way: a state that comes back twice is worth nothing the second time.
  package func end(
    _ visit: ProviderVisit, at now: Timestamp, in writer: any SQLWriter
  ) throws -> ProviderVisit.Purpose? {
    let row = try writer.first(
      "SELECT browser, provider, account, next_path, expires FROM provider_visits WHERE state = $1",
      [.blob(visit.state.digest)])
    try writer.execute(
      "DELETE FROM provider_visits WHERE state = $1", [.blob(visit.state.digest)])
    guard let row, try row.blob(0) == visit.browser.digest, try row.timestamp(4) > now else {
      return nil
    }
    return ProviderVisit.Purpose(
      provider: try row.text(1), account: try row.optionalID(2), next: try row.optionalText(3))
  }

  /// Keeps what a signed-in person has proved until it is confirmed on a page of ours.
  ///
  /// Coming back from a provider changes nothing: another site can send a browser there, signed in as
  /// somebody else.
  package func offer(
    _ proven: ProvenIdentity, ticket: Secret, to account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    let sealed = try cipher.seal(proven.label, context: Self.offerContext(ticket))
    try writer.execute(
      """
      INSERT INTO identity_offers (ticket, account, provider, subject_index, label_sealed, expires)
      VALUES ($1, $2, $3, $4, $5, $6)
      """,
      [
        .blob(ticket.digest), .text(account), .text(proven.provider),
        .blob(subjectIndex(proven)), .blob(sealed),
        SQLValue(now.adding(milliseconds: ProviderVisit.lifetime)),
      ])
  }

  /// Links what a ticket stands for, once, to the account that it was offered to.
  package func accept(
    ticket: Secret, by account: AccountID, as id: String, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    let row = try writer.first(
      """
      SELECT provider, subject_index, label_sealed FROM identity_offers
      WHERE ticket = $1 AND account = $2 AND expires > $3
      """, [.blob(ticket.digest), .text(account), SQLValue(now)])
    guard let row else { throw IdentityError.notFound }
    try writer.execute("DELETE FROM identity_offers WHERE ticket = $1", [.blob(ticket.digest)])
    try link(
      try row.blob(1),
      label: try cipher.open(try row.blob(2), context: Self.offerContext(ticket)),
      provider: try row.text(0), to: account, as: id, at: now, in: writer)
  }

  private static func offerContext(_ ticket: Secret) -> String {
    "identity_offers:\(Hexadecimal.encode(ticket.digest)):label_sealed"
  }
}
