// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

extension AccountStore {
  /// Throws ``StorageError/foreignKeys`` where a field needs a key that is not there: with the keys of
  /// before a change nobody may go on.
  package func requireKeys(in reader: any SQLReader) throws(StorageError) {
    let row = try reader.first(
      "SELECT account, email_sealed FROM accounts ORDER BY account LIMIT 1")
    guard let row else { return }
    do {
      _ = try email(sealed: try row.blob(1), of: try row.id(0))
    } catch .unknownKey {
      throw .foreignKeys
    } catch {
      // A field that is damaged keeps nobody else out.
    }
  }

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
      let id: AccountID = try row.id(0)
      if (try? account(id, in: reader)) == nil { faults.append("account \(id)") }
    }
    return (rows.count, faults)
  }
}
