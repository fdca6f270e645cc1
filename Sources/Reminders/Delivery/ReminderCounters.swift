// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The outcomes of reminders since an instant.
package struct ReminderCounters: Sendable, Hashable {
  /// The number of deliveries that were planned.
  package let planned: Int64
  /// The number of deliveries that were handed over.
  package let handedOver: Int64
  /// The number of deliveries that a device showed.
  package let shown: Int64
  /// The number of deliveries whose doses were answered.
  package let answered: Int64
  /// The number of reminders for doses that were handed over and not answered in time.
  package let expired: Int64
  /// The number of doses whose reminder did not ring in time, or had no recipient.
  package let missedByUs: Int64
}

/// A problem that keeps reminders from being delivered, for the status page.
package struct HostTrouble: Sendable, Hashable {
  /// The host of the push service or channel; empty for mail.
  package let host: String
  /// The problem, as a short code of the channel.
  package let trouble: String
  /// The number of deliveries with this problem.
  package let count: Int64
  /// The time of the latest change to one of them.
  package let latest: Timestamp
}

extension ReminderQueries {
  /// Returns the outcomes of everything planned since an instant.
  package static func counters(since: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> ReminderCounters
  {
    let deliveries = try reader.first(deliveriesStatement, [SQLValue(since)])?
      .read(DeliveryCountRow.self)
    let expired: Int64? = try reader.first(
      """
      SELECT COUNT(*) FROM reminders
      WHERE opened >= $1 AND kind = 'doses' AND outcome = 'expired'
      """, [SQLValue(since)])?.value()
    let missed: Int64? = try reader.first(
      """
      SELECT COUNT(*) FROM reminders r JOIN doses d ON d.reminder = r.subject
      WHERE r.opened >= $1 AND r.kind = 'summary'
      """, [SQLValue(since)])?.value()
    return ReminderCounters(
      planned: try deliveries?.integer(.planned) ?? 0,
      handedOver: try deliveries?.integer(.handedOver) ?? 0,
      shown: try deliveries?.integer(.shown) ?? 0,
      answered: try deliveries?.integer(.answered) ?? 0,
      expired: expired ?? 0, missedByUs: missed ?? 0)
  }

  private static let deliveriesStatement = SQLStatement(
    "SELECT \(DeliveryCountRow.columns) FROM deliveries WHERE planned >= $1")

  /// Returns the problems of deliveries planned since an instant, by service and cause, the latest
  /// first; at most 50.
  package static func troubles(since: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> [HostTrouble]
  {
    let rows = try reader.query(troublesStatement, [SQLValue(since)])
    var found: [HostTrouble] = []
    for row in rows {
      let row = row.read(HostTroubleRow.self)
      found.append(
        HostTrouble(
          host: try row.text(.host), trouble: try row.text(.trouble),
          count: try row.integer(.count), latest: try row.timestamp(.latest)))
    }
    return found
  }

  private static let troublesStatement = SQLStatement(
    """
    SELECT \(HostTroubleRow.columns) FROM deliveries d
    LEFT JOIN push_subscriptions s ON s.subscription = d.address
    LEFT JOIN channel_addresses c ON c.address = d.address
    WHERE d.planned >= $1 AND d.trouble IS NOT NULL
    GROUP BY COALESCE(s.host, c.host, ''), d.trouble
    ORDER BY MAX(d.changed) DESC LIMIT 50
    """)

  /// Returns the number of patients with an active plan for whom no one receives reminders.
  package static func patientsWithoutRecipients(now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> Int64
  {
    try reader.first(
      """
      SELECT COUNT(DISTINCT p.patient) FROM plans p
      WHERE p.status = 'active' AND p.unplanned_reason IS NULL AND NOT EXISTS (
        SELECT 1 FROM grants g WHERE g.patient = p.patient
          AND g.relationship IN ('self', 'guardian')
          AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1))
      """, [SQLValue(now)])?.value() ?? 0
  }

  /// Returns the number of devices that were not confirmed by a test for seven days.
  package static func unconfirmedDevices(now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> Int64
  {
    try reader.first(
      """
      SELECT COUNT(*) FROM push_subscriptions
      WHERE gone IS NULL AND COALESCE(confirmed, created) < $1
      """, [SQLValue(now.adding(milliseconds: -7 * 24 * 3_600_000))])?.value() ?? 0
  }
}

/// The number of deliveries at each stage.
enum DeliveryCountRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case planned, handedOver, shown, answered
  }

  static let columns = SQLColumns<Column>(
    [
      .planned: "COUNT(*)", .handedOver: "COUNT(handed_over)", .shown: "COUNT(shown)",
      .answered: "COUNT(answered)",
    ])
}

/// The row behind each ``HostTrouble``.
enum HostTroubleRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case host, trouble, count, latest
  }

  static let columns = SQLColumns<Column>(
    of: "d",
    [
      .host: "COALESCE(s.host, c.host, '')", .count: "COUNT(*)", .latest: "MAX(d.changed)",
    ])
}
