// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A message to an address with its outcome, as its owner sees it.
package struct LoggedDelivery: Sendable, Hashable {
  /// The time at which the message was planned.
  package let planned: Timestamp
  /// The time at which the channel's server accepted the message; nil if it has not.
  package let handedOver: Timestamp?
  /// The number of attempts.
  package let attempts: Int64
  /// The outcome so far.
  package let outcome: DeliveryOutcome
  /// The last problem, as a short code of the channel; nil for none.
  package let trouble: String?
}

extension ChannelAddresses {
  /// The number of messages shown for each address.
  static let logLength = 10

  /// Returns the addresses of an account with the last messages to each.
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
    var found: [LoggedDelivery] = []
    for row in try reader.query(logStatement, [.text(address), SQLValue(logLength)]) {
      found.append(try LoggedDelivery(row.read(LoggedDeliveryRow.self)))
    }
    return found
  }

  private static let logStatement = SQLStatement(
    """
    SELECT \(LoggedDeliveryRow.columns) FROM deliveries
    WHERE address = $1 AND channel NOT IN ('push', 'mail')
    ORDER BY planned DESC, delivery LIMIT $2
    """)
}

/// The columns of a ``LoggedDelivery``.
enum LoggedDeliveryRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case planned, handedOver, attempt, outcome, trouble, answered
  }

  static let columns = SQLColumns<Column>()
}

extension LoggedDelivery {
  fileprivate init(_ row: ColumnReader<LoggedDeliveryRow.Column>) throws(StorageError) {
    planned = try row.timestamp(.planned)
    handedOver = try row.optionalTimestamp(.handedOver)
    attempts = try row.integer(.attempt)
    trouble = try row.optionalText(.trouble)
    let stored = try row.optionalText(.outcome).flatMap(DeliveryOutcome.init(rawValue:))
    outcome =
      stored == .handedOver && row[.answered] != .null
      ? .answered : stored ?? (trouble == nil ? .planned : .retrying)
  }
}
