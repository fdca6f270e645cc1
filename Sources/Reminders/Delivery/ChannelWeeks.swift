// SPDX-License-Identifier: Apache-2.0

import Storage

/// The success rate of a channel in the last day compared with its last week.
package struct ChannelWeek: Sendable, Hashable {
  /// The channel that is compared.
  package let channel: ReminderChannel
  /// The number of deliveries planned in the last 24 hours that were tried and have ended.
  package let dayTried: Int64
  /// The number of the last day's deliveries that were handed over.
  package let dayHandedOver: Int64
  /// The number of deliveries of the last seven days that were tried and have ended.
  package let weekTried: Int64
  /// The number of the last seven days' deliveries that were handed over.
  package let weekHandedOver: Int64

  /// True if the day is clearly worse than the week: by ten percentage points or more, over at
  /// least five reminders.
  package var isWorse: Bool {
    guard dayTried >= 5, weekTried > 0 else { return false }
    let day = Double(dayHandedOver) / Double(dayTried)
    let week = Double(weekHandedOver) / Double(weekTried)
    return day + 0.1 <= week
  }

  /// Returns each channel with deliveries in the last week; those that an answer made unnecessary
  /// do not count.
  package static func all(now: Timestamp, in reader: any SQLReader) throws(StorageError)
    -> [ChannelWeek]
  {
    let day = now.adding(milliseconds: -24 * 3_600_000)
    let rows = try reader.query(
      statement, [SQLValue(day), SQLValue(now.adding(milliseconds: -7 * 24 * 3_600_000))])
    var found: [ChannelWeek] = []
    for row in rows { found.append(try ChannelWeek(row.read(ChannelWeekRow.self))) }
    let order = ReminderChannel.allCases
    return found.sorted {
      (order.firstIndex(of: $0.channel) ?? 0) < (order.firstIndex(of: $1.channel) ?? 0)
    }
  }

  private static let statement = SQLStatement(
    """
    SELECT \(ChannelWeekRow.columns) FROM deliveries
    WHERE planned >= $2 AND state = 'done'
      AND (handed_over IS NOT NULL OR outcome IN ('failed', 'gone'))
    GROUP BY channel
    """)
}

/// The counts of a channel.
///
/// The first parameter of the statement is the beginning of the day.
enum ChannelWeekRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case channel, dayTried, dayHandedOver, weekTried, weekHandedOver
  }

  static let columns = SQLColumns<Column>(
    [
      .dayTried: "SUM(CASE WHEN planned >= $1 THEN 1 ELSE 0 END)",
      .dayHandedOver: """
      SUM(CASE WHEN planned >= $1 AND handed_over IS NOT NULL THEN 1 ELSE 0 END)
      """,
      .weekTried: "COUNT(*)", .weekHandedOver: "COUNT(handed_over)",
    ])
}

extension ChannelWeek {
  fileprivate init(_ row: ColumnReader<ChannelWeekRow.Column>) throws(StorageError) {
    self.init(
      channel: try row.named(.channel), dayTried: try row.integer(.dayTried),
      dayHandedOver: try row.integer(.dayHandedOver), weekTried: try row.integer(.weekTried),
      weekHandedOver: try row.integer(.weekHandedOver))
  }
}
