// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

extension AccountStore {
  /// Throws ``StorageError/foreignKeys`` where a field needs a key that is not there: with the keys of
  /// before a change nobody may go on.
  package func requireKeys(in reader: any SQLReader) throws(StorageError) {
    guard let row = try reader.first(Self.firstAddressStatement)?.decode(as: SealedAddressRow.self)
    else { return }
    do {
      _ = try email(sealed: row.emailSealed, of: row.account)
    } catch .unknownKey {
      throw .foreignKeys
    } catch {
      // A field that is damaged keeps nobody else out.
    }
  }

  private static let firstAddressStatement = SQLStatement(
    "SELECT \(SealedAddressRow.columns) FROM accounts ORDER BY account LIMIT 1")

  /// Opens the addresses of some accounts: whether the keys are those of the data.
  ///
  /// What does not open is named by its account's id.
  package func openSample(
    _ limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> (tried: Int, faults: [String]) {
    let ids = try reader.query(
      "SELECT account FROM accounts ORDER BY account LIMIT $1", [SQLValue(limit)]
    ).values(as: AccountID.self)
    var faults: [String] = []
    for id in ids where (try? account(id, in: reader)) == nil { faults.append("account \(id)") }
    return (ids.count, faults)
  }
}
