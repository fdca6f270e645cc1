// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Figures of one patient for those who look after it; the caller has decided that they may be seen.
package enum CareReport {
  /// What became of the doses due within a stretch of time, by plan.
  package static func counts(
    of patient: PatientID, from: Timestamp, until now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: DoseCounts] {
    let rows = try reader.query(
      """
      SELECT COUNT(*) FILTER (WHERE state = 'taken' AND answered_at <= on_time_until),
        COUNT(*) FILTER (WHERE state = 'taken' AND answered_at > on_time_until),
        COUNT(*) FILTER (WHERE state = 'skipped'), COUNT(*) FILTER (WHERE state = 'refused'),
        COUNT(*) FILTER (WHERE state = 'open' AND late_until <= $1
          AND (later_until IS NULL OR later_until <= $1)),
        COUNT(*) FILTER (WHERE state = 'withheld' AND late_until <= $1), plan
      FROM doses WHERE patient = $2 AND due >= $3 AND due < $1 GROUP BY plan
      """, [SQLValue(now), .text(patient), SQLValue(from)])
    var found: [PlanID: DoseCounts] = [:]
    for row in rows { found[try row.id(6)] = try DoseCounts(row) }
    return found
  }

  /// How reminders of the last days got through.
  package struct DeliveryHealth: Sendable, Hashable {
    package let planned: Int
    package let handedOver: Int
    package let shown: Int
    package let failed: Int
  }

  /// Since when all devices of those who act for a patient are silent; nil where one works, or there is none.
  package static func silentSince(
    _ patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Timestamp? {
    let rows = try reader.query(
      """
      SELECT s.unshown, s.first_unshown
      FROM grants o CROSS JOIN push_subscriptions s
      WHERE o.patient = $1 AND o.relationship IN ('self', 'guardian') AND o.starts <= $2
        AND (o.ends IS NULL OR o.ends > $2) AND s.account = o.account AND s.gone IS NULL
      """, [.text(patient), SQLValue(now)])
    var since: Timestamp?
    for row in rows {
      let first = try row.optionalTimestamp(1)
      let device = ReminderRecipient.Device(
        subscription: "", unshown: try row.integer(0), firstUnshown: first)
      guard device.isBroken(at: now), let first else { return nil }
      since = since.map { min($0, first) } ?? first
    }
    return since
  }

  package static func deliveries(
    of patient: PatientID, since: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> DeliveryHealth {
    let row = try reader.first(
      """
      SELECT COUNT(*), COUNT(handed_over), COUNT(shown),
        COUNT(*) FILTER (WHERE outcome IN ('failed', 'gone'))
      FROM deliveries WHERE patient = $1 AND due >= $2
      """, [.text(patient), SQLValue(since)])
    guard let row else { return DeliveryHealth(planned: 0, handedOver: 0, shown: 0, failed: 0) }
    return DeliveryHealth(
      planned: Int(clamping: try row.integer(0)), handedOver: Int(clamping: try row.integer(1)),
      shown: Int(clamping: try row.integer(2)), failed: Int(clamping: try row.integer(3)))
  }
}
