// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import Identifiers
import Storage

extension PushSubscriptions {
  /// Removes the devices that were added with tokens that have expired, and returns their number.
  package static func removeOfExpiredTokens(
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try remove(
      writer.query(expiredStatement, [SQLValue(now)]).decode(), at: now, in: writer)
  }

  private static let expiredStatement = SQLStatement(
    """
    SELECT \(TokenDeviceRow.columns)
    FROM tokens t CROSS JOIN push_subscriptions s
    WHERE t.expires <= $1 AND s.account = t.account AND s.gone IS NULL
    """)

  /// Removes the devices of some accounts that were added with tokens that have expired, and returns their
  /// number.
  static func removeOfExpiredTokens(
    of accounts: Set<AccountID>, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    guard !accounts.isEmpty else { return 0 }
    return try remove(
      writer.query(
        """
        SELECT \(TokenDeviceRow.columns)
        FROM push_subscriptions s CROSS JOIN tokens t
        WHERE t.account = s.account AND t.expires <= $1 AND s.gone IS NULL AND s.account IN (
        """, [SQLValue(now)], in: accounts.sorted().map { .text($0) }
      ).decode(), at: now, in: writer)
  }

  /// Removes the devices whose session is the token in their row.
  private static func remove(
    _ rows: [TokenDeviceRow], at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    var count = 0
    for row in rows {
      guard row.session?.text == Hexadecimal.encode(row.digest) else { continue }
      try bury(row.subscription, at: now, in: writer)
      count += 1
    }
    return count
  }
}
