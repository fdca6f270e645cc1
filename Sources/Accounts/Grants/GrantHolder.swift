// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// An account with its right on one patient's data.
package struct GrantHolder: Sendable, Hashable {
  /// The account that holds the grants.
  package let account: AccountID
  /// The display name of the account.
  package let displayName: String
  /// The combined right from its grants.
  package let right: PatientRight
}

extension AccountStore {
  /// Returns an account with its right on a patient at an instant, read in one statement; nil
  /// without a grant.
  package func holder(
    _ account: AccountID, of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> GrantHolder? {
    let rows = try reader.query(
      Self.holderStatement, [.text(patient), .text(account), SQLValue(now)])
    var rights: [PatientID: PatientRight] = [:]
    for row in rows { try Self.add(row, to: &rights) }
    guard let row = rows.first, let right = rights[patient] else { return nil }
    return GrantHolder(
      account: account,
      displayName: try row.read(GrantHolderRow.self).text(.displayName), right: right)
  }

  private static let holderStatement = SQLStatement(
    """
    SELECT \(GrantHolderRow.columns) FROM grants g JOIN accounts a ON a.account = g.account
    WHERE g.patient = $1 AND g.account = $2 AND g.starts <= $3 AND (g.ends IS NULL OR g.ends > $3)
    """)
}

/// A grant with the name of its account.
enum GrantHolderRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, relationship, categories, displayName
  }

  static let columns = SQLColumns<Column>(of: "g", [.displayName: "a.display_name"])
}
