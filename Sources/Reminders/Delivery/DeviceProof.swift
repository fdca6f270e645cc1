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
    var found: [DeviceID: DeviceProof] = [:]
    for row in try reader.query(
      """
      SELECT \(DeviceProofRow.columns)
      FROM deliveries WHERE recipient = $1 AND channel = 'push' AND due > $2 AND patient IN (
      """, [.text(account), SQLValue(now.adding(milliseconds: -span))],
      in: patients.map { .text($0) }, " GROUP BY address")
    {
      let row = row.read(DeviceProofRow.self)
      found[try row.id(.address)] = DeviceProof(
        handedOver: try row.integer(.handedOver), shown: try row.integer(.shown),
        answered: try row.integer(.answered),
        lastAnswered: try row.optionalTimestamp(.lastAnswered))
    }
    return found
  }
}

/// The sums behind a ``DeviceProof``, over the deliveries to each address.
enum DeviceProofRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case address, handedOver, shown, answered, lastAnswered
  }

  static let columns = SQLColumns<Column>([
    .handedOver: "COUNT(handed_over)", .shown: "COUNT(shown)",
    .answered: "COUNT(CASE WHEN shown IS NOT NULL THEN answered END)",
    .lastAnswered: "MAX(CASE WHEN shown IS NOT NULL THEN answered END)",
  ])
}
