// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// What a device proved lately: how many reminders it was handed, showed, and saw answered.
package struct DeviceProof: Sendable, Hashable {
  package let handedOver: Int64
  package let shown: Int64
  package let answered: Int64
  /// When a reminder that it showed was last answered, on whatever device.
  package let lastAnswered: Timestamp?

  /// How far back it looks: 7 days, in milliseconds.
  package static let span: Int64 = 7 * 24 * 3_600_000

  /// By device, over the reminders of some patients to an account.
  package static func of(
    _ account: AccountID, patients: [PatientID], now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [DeviceID: DeviceProof] {
    guard !patients.isEmpty else { return [:] }
    let rows = try reader.query(
      """
      SELECT address, COUNT(handed_over), COUNT(shown),
        COUNT(CASE WHEN shown IS NOT NULL THEN answered END),
        MAX(CASE WHEN shown IS NOT NULL THEN answered END)
      FROM deliveries WHERE recipient = $1 AND channel = 'push' AND due > $2 AND patient IN (
      """, [.text(account), SQLValue(now.adding(milliseconds: -span))],
      in: patients.map { .text($0) }, " GROUP BY address")
    var found: [DeviceID: DeviceProof] = [:]
    for row in rows {
      found[try row.id(0)] = DeviceProof(
        handedOver: try row.integer(1), shown: try row.integer(2), answered: try row.integer(3),
        lastAnswered: try row.optionalTimestamp(4))
    }
    return found
  }
}
