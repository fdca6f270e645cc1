// SPDX-License-Identifier: Apache-2.0

import Storage

extension AccountStore {
  /// The names that others see, by account; one that is gone has none.
  package func displayNames(
    of accounts: Set<String>, in reader: any SQLReader
  ) throws(StorageError) -> [String: String] {
    var names: [String: String] = [:]
    let rows = try reader.query(
      "SELECT account, display_name FROM accounts WHERE account IN (", [],
      in: accounts.sorted().map { .text($0) })
    for row in rows { names[try row.text(0)] = try row.text(1) }
    return names
  }
}
