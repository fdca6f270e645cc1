// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

extension AccountStore {
  /// Checks that the keys match the data.
  ///
  /// Throws ``StorageError/foreignKeys`` if a field needs a key that is missing: after a key rotation, no
  /// process can continue with the older ones.
  package func requireKeys(in reader: any SQLReader) throws(StorageError) {
    guard let row = try reader.first(Self.firstAddressStatement)?.decode(as: SealedAddressRow.self)
    else { return }
    do {
      _ = try email(sealed: row.emailSealed, of: row.account)
    } catch .unknownKey {
      throw .foreignKeys
    } catch {
      // A damaged field must not keep everyone else out.
    }
  }

  private static let firstAddressStatement = SQLStatement(
    "SELECT \(SealedAddressRow.columns) FROM accounts ORDER BY account LIMIT 1")

  /// Decrypts the addresses of some accounts, to check that the keys match the data.
  ///
  /// Addresses that cannot be decrypted are listed by their account's id.
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
