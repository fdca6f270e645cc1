// SPDX-License-Identifier: Apache-2.0

import Storage

extension AccountStore {
  /// Opens the addresses of some accounts: whether the keys are those of the data.
  ///
  /// What does not open is named by its account's id.
  package func openSample(
    _ limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> (tried: Int, faults: [String]) {
    let rows = try reader.query(
      "SELECT account FROM accounts ORDER BY account LIMIT $1", [SQLValue(limit)])
    var faults: [String] = []
    for row in rows {
      let id = try row.text(0)
      if (try? account(id, in: reader)) == nil { faults.append("account \(id)") }
    }
    return (rows.count, faults)
  }
}
