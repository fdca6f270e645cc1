// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// One message to an address, for its owner to see what became of it.
package struct LoggedDelivery: Sendable, Hashable {
  package let planned: Timestamp
  package let handedOver: Timestamp?
  package let attempts: Int64
  package let outcome: DeliveryOutcome
  /// What went wrong last, in a word of the channel.
  package let trouble: String?
}

extension ChannelAddresses {
  /// How many messages of an address are shown.
  static let logLength = 10

  /// The addresses of an account with what went to each last.
  package static func logged(_ account: AccountID, in reader: any SQLReader)
    throws(StorageError) -> [ChannelAddress]
  {
    var found = try list(account, in: reader)
    for index in found.indices {
      found[index].log = try log(of: found[index].id, in: reader)
    }
    return found
  }

  private static func log(of address: String, in reader: any SQLReader)
    throws(StorageError) -> [LoggedDelivery]
  {
    try reader.query(
      """
      SELECT planned, handed_over, attempt, outcome, trouble, answered FROM deliveries
      WHERE address = $1 AND channel NOT IN ('push', 'mail')
      ORDER BY planned DESC, delivery LIMIT $2
      """, [.text(address), SQLValue(logLength)]
    ).map { row throws(StorageError) in
      let trouble = try row.optionalText(4)
      let stored = try row.optionalText(3).flatMap(DeliveryOutcome.init(rawValue:))
      return LoggedDelivery(
        planned: try row.timestamp(0), handedOver: try row.optionalTimestamp(1),
        attempts: try row.integer(2),
        outcome: stored == .handedOver && row[5] != .null
          ? .answered : stored ?? (trouble == nil ? .planned : .retrying),
        trouble: trouble)
    }
  }
}
