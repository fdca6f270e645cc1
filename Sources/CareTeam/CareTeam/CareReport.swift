// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Statistics
import Storage

/// Statistics of one patient for the care team; the caller has decided that they may be seen.
package enum CareReport {
  /// Returns the outcomes of the doses that were due from one time until now, by plan.
  package static func counts(
    of patient: PatientID, from: Timestamp, until now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: DoseCounts] {
    let rows = try reader.query(
      countsStatement, [SQLValue(now), .text(patient), SQLValue(from)])
    var found: [PlanID: DoseCounts] = [:]
    for row in rows {
      found[try row.read(PlanCountsRow.self).id(.plan)] = try DoseCounts(row)
    }
    return found
  }

  private static let countsStatement = SQLStatement(
    """
    SELECT \(PlanCountsRow.columns) FROM (
      SELECT COUNT(*) FILTER (WHERE state = 'taken' AND answered_at <= on_time_until) AS taken,
        COUNT(*) FILTER (WHERE state = 'taken' AND answered_at > on_time_until) AS late,
        COUNT(*) FILTER (WHERE state = 'skipped') AS skipped,
        COUNT(*) FILTER (WHERE state = 'refused') AS refused,
        COUNT(*) FILTER (WHERE state = 'open' AND late_until <= $1
          AND (later_until IS NULL OR later_until <= $1)) AS missed,
        COUNT(*) FILTER (WHERE state = 'withheld' AND late_until <= $1) AS withheld, plan
      FROM doses WHERE patient = $2 AND due >= $3 AND due < $1 GROUP BY plan
    ) AS counts
    """)

  /// The number of reminders that reached a device in some time.
  package struct DeliveryHealth: Sendable, Hashable {
    /// The number of deliveries that were due.
    package let planned: Int
    /// The number of deliveries that a channel accepted.
    package let handedOver: Int
    /// The number of deliveries that a device confirmed to have shown.
    package let shown: Int
    /// The number of deliveries that failed, or whose device no longer exists.
    package let failed: Int
  }

  /// Returns the time since when all devices of those who act for a patient are silent.
  ///
  /// The result is nil if one of the devices works, or if there is none.
  package static func silentSince(
    _ patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Timestamp? {
    let devices: [CareDeviceRow] = try reader.query(
      devicesStatement, [.text(patient), SQLValue(now)]
    ).decode()
    var since: Timestamp?
    for device in devices {
      guard let first = device.silentSince(at: now) else { return nil }
      since = since.map { min($0, first) } ?? first
    }
    return since
  }

  private static let devicesStatement = SQLStatement(
    """
    SELECT \(CareDeviceRow.columns)
    FROM grants o CROSS JOIN push_subscriptions s
    WHERE o.patient = $1 AND o.relationship IN ('self', 'guardian') AND o.starts <= $2
      AND (o.ends IS NULL OR o.ends > $2) AND s.account = o.account AND s.gone IS NULL
    """)

  /// Returns the numbers of deliveries to everyone about a patient that were due since a time.
  package static func deliveries(
    of patient: PatientID, since: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> DeliveryHealth {
    let row = try reader.first(deliveriesStatement, [.text(patient), SQLValue(since)])?
      .read(DeliveryHealthRow.self)
    guard let row else { return DeliveryHealth(planned: 0, handedOver: 0, shown: 0, failed: 0) }
    return DeliveryHealth(
      planned: Int(clamping: try row.integer(.planned)),
      handedOver: Int(clamping: try row.integer(.handedOver)),
      shown: Int(clamping: try row.integer(.shown)),
      failed: Int(clamping: try row.integer(.failed)))
  }

  private static let deliveriesStatement = SQLStatement(
    "SELECT \(DeliveryHealthRow.columns) FROM deliveries WHERE patient = $1 AND due >= $2")
}

/// The counts of a ``CareReport/DeliveryHealth``.
enum DeliveryHealthRow: SQLRowType {
  enum Column: Int, SQLColumn { case planned, handedOver, shown, failed }

  static let columns = SQLColumns<Column>([
    .planned: "COUNT(*)", .handedOver: "COUNT(handed_over)", .shown: "COUNT(shown)",
    .failed: "COUNT(*) FILTER (WHERE outcome IN ('failed', 'gone'))",
  ])
}

/// The outcomes of a plan's doses: the columns of ``DoseCounts``, then the plan.
enum PlanCountsRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case taken, late, skipped, refused, missed, withheld, plan
  }

  static let columns = SQLColumns<Column>()
}
