// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

extension AccountStore {
  /// Returns the display names of accounts; accounts that no longer exist are left out.
  package func displayNames(
    of accounts: Set<AccountID>, in reader: any SQLReader
  ) throws(StorageError) -> [AccountID: String] {
    var names: [AccountID: String] = [:]
    let rows = try reader.query(
      "SELECT \(AccountNameRow.columns) FROM accounts WHERE account IN (", [],
      in: accounts.sorted().map { .text($0) }
    ).decode(as: AccountNameRow.self)
    for row in rows { names[row.account] = row.displayName }
    return names
  }
}

struct AccountNameRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case account, displayName }

  static let columns = SQLColumns<Column>()

  let account: AccountID
  let displayName: String

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    account = try columns.id(.account)
    displayName = try columns.text(.displayName)
  }
}
