// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The recent reliability of a device: the reminders that it received, showed and led to an answer.
package struct DeviceProof: Sendable, Hashable {
  /// The number of reminders handed over to the push service for the device.
  package let handedOver: Int64
  /// The number of reminders that the device showed.
  package let shown: Int64
  /// The number of shown reminders that were answered, on whatever device.
  package let answered: Int64
  /// The last time at which a reminder shown by the device was answered, on whatever device; nil
  /// for none.
  package let lastAnswered: Timestamp?

  /// The period considered: 7 days, in milliseconds.
  package static let span: Int64 = 7 * 24 * 3_600_000

  /// Returns the proof of each device, over the reminders about some patients to an account.
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
