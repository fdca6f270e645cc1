// SPDX-License-Identifier: Apache-2.0

import Storage

/// The deliveries of one channel that could be sent now but were not claimed yet.
package struct DeliveryQueue: Sendable, Hashable {
  /// The channel on which they go.
  package let channel: ReminderChannel
  /// The number of deliveries.
  package let count: Int64
  /// The time since which the longest waiting could be sent; nil if none waits.
  package let since: Timestamp?

  /// Returns the queues of all channels.
  package static func all(
    at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [DeliveryQueue] {
    var found: [ReminderChannel: DeliveryQueue] = [:]
    for row in try reader.query(statement, [SQLValue(now)]) {
      let row = row.read(DeliveryQueueRow.self)
      let channel: ReminderChannel = try row.named(.channel)
      found[channel] = DeliveryQueue(
        channel: channel, count: try row.integer(.count), since: try row.timestamp(.since))
    }
    return ReminderChannel.allCases.map { channel in
      found[channel] ?? DeliveryQueue(channel: channel, count: 0, since: nil)
    }
  }

  private static let statement = SQLStatement(
    """
    SELECT \(DeliveryQueueRow.columns) FROM deliveries
    WHERE state = 'waiting' AND next_try <= $1 GROUP BY channel
    """)
}

/// The row behind each ``DeliveryQueue``.
enum DeliveryQueueRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case channel, count, since
  }

  static let columns = SQLColumns<Column>([.count: "COUNT(*)", .since: "MIN(next_try)"])
}
