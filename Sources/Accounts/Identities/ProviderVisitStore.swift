// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The statements that change the tables `provider_visits` and `identity_offers`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
enum ProviderVisitStore {
  static func insert(
    _ visit: ProviderVisit, _ purpose: ProviderVisit.Purpose, expires: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO provider_visits (state, browser, provider, account, next_path, expires)
      VALUES ($1, $2, $3, $4, $5, $6)
      """,
      [
        .blob(visit.state.digest), .blob(visit.browser.digest), .text(purpose.provider),
        SQLValue(purpose.account), SQLValue(purpose.next), SQLValue(expires),
      ])
  }

  static func delete(_ visit: ProviderVisit, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "DELETE FROM provider_visits WHERE state = $1", [.blob(visit.state.digest)])
  }

  // MARK: Offers

  static func insert(_ row: NewIdentityOfferRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertOfferStatement, row.values)
  }

  private static let insertOfferStatement = SQLStatement(
    """
    INSERT INTO identity_offers (\(NewIdentityOfferRow.columns))
    VALUES (\(NewIdentityOfferRow.placeholders))
    """)

  static func deleteOffer(
    ticket digest: [UInt8], in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM identity_offers WHERE ticket = $1", [.blob(digest)])
  }

  /// Deletes visits and offers that expired before an instant.
  static func delete(
    endedBefore instant: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM provider_visits WHERE expires < $1", [SQLValue(instant)])
    try writer.execute("DELETE FROM identity_offers WHERE expires < $1", [SQLValue(instant)])
  }
}

/// A new row of `identity_offers`.
struct NewIdentityOfferRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case ticket, account, provider, subjectIndex, labelSealed, expires
  }

  static let columns = SQLColumns<Column>()

  let ticket: [UInt8]
  let account: AccountID
  let provider: String
  let subjectIndex: [UInt8]
  let labelSealed: [UInt8]
  let expires: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .ticket: .blob(ticket)
    case .account: .text(account)
    case .provider: .text(provider)
    case .subjectIndex: .blob(subjectIndex)
    case .labelSealed: .blob(labelSealed)
    case .expires: SQLValue(expires)
    }
  }
}
