// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

extension AccountStore {
  /// Checks that the keys are those of the data.
  ///
  /// Throws ``StorageError/foreignKeys`` if a field needs a key that is missing: after a change of
  /// keys, no process can continue with the older ones.
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

  /// Opens the addresses of some accounts, to check that the keys are those of the data.
  ///
  /// Addresses that do not open are listed by their account's id.
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
