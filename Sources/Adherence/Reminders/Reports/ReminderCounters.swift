// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// What came of the reminders since an instant.
package struct ReminderCounters: Sendable, Hashable {
  /// Deliveries planned, and how far those came.
  package let planned: Int64
  package let handedOver: Int64
  package let shown: Int64
  package let answered: Int64
  /// Groups that were handed over and that nobody answered in time.
  package let expired: Int64
  /// Doses that were not rung in time, or could not be told to anybody.
  package let missedByUs: Int64
}

/// Something that keeps reminders from getting through, for the status page.
package struct HostTrouble: Sendable, Hashable {
  /// The push service; empty for mail.
  package let host: String
  /// A word of the channel.
  package let trouble: String
  package let count: Int64
  package let latest: Timestamp
}

extension ReminderQueries {
  /// Counted over what was planned since an instant.
  package static func counters(since: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> ReminderCounters
  {
    let deliveries = try reader.first(
      """
      SELECT COUNT(*), COUNT(handed_over), COUNT(shown), COUNT(answered)
      FROM deliveries WHERE planned >= $1
      """, [SQLValue(since)])
    let expired = try reader.first(
      """
      SELECT COUNT(*) FROM reminders
      WHERE opened >= $1 AND kind = 'doses' AND outcome = 'expired'
      """, [SQLValue(since)])
    let missed = try reader.first(
      """
      SELECT COUNT(*) FROM reminders r JOIN doses d ON d.reminder = r.subject
      WHERE r.opened >= $1 AND r.kind = 'summary'
      """, [SQLValue(since)])
    return ReminderCounters(
      planned: try deliveries?.integer(0) ?? 0, handedOver: try deliveries?.integer(1) ?? 0,
      shown: try deliveries?.integer(2) ?? 0, answered: try deliveries?.integer(3) ?? 0,
      expired: try expired?.integer(0) ?? 0, missedByUs: try missed?.integer(0) ?? 0)
  }

  /// What went wrong with deliveries planned since an instant, by service and cause, the latest
  /// first.
  package static func troubles(since: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> [HostTrouble]
  {
    let rows = try reader.query(
      """
      SELECT COALESCE(s.host, c.host, ''), d.trouble, COUNT(*), MAX(d.changed)
      FROM deliveries d
      LEFT JOIN push_subscriptions s ON s.subscription = d.address
      LEFT JOIN channel_addresses c ON c.address = d.address
      WHERE d.planned >= $1 AND d.trouble IS NOT NULL
      GROUP BY COALESCE(s.host, c.host, ''), d.trouble
      ORDER BY MAX(d.changed) DESC LIMIT 50
      """, [SQLValue(since)])
    var found: [HostTrouble] = []
    for row in rows {
      found.append(
        HostTrouble(
          host: try row.text(0), trouble: try row.text(1), count: try row.integer(2),
          latest: try row.timestamp(3)))
    }
    return found
  }

  /// How many patients have a running plan and nobody who is told of it.
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
      """, [SQLValue(now)])?.integer(0) ?? 0
  }

  /// How many devices were not confirmed by a tap for seven days.
  package static func unconfirmedDevices(now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> Int64
  {
    try reader.first(
      """
      SELECT COUNT(*) FROM push_subscriptions
      WHERE gone IS NULL AND COALESCE(confirmed, created) < $1
      """, [SQLValue(now.adding(milliseconds: -7 * 24 * 3_600_000))])?.integer(0) ?? 0
  }
}
