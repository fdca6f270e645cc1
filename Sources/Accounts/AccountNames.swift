// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

extension AccountStore {
  /// The names that others see, by account; one that is gone has none.
  package func displayNames(
    of accounts: Set<AccountID>, in reader: any SQLReader
  ) throws(StorageError) -> [AccountID: String] {
    var names: [AccountID: String] = [:]
    let rows = try reader.query(
      "SELECT account, display_name FROM accounts WHERE account IN (", [],
      in: accounts.sorted().map { .text($0) })
    for row in rows { names[try row.id(0)] = try row.text(1) }
    return names
  }
}
