// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The rows of `heart_rate_monitoring`, `heart_rate_boundaries` and `heart_rate_unmonitored`.
package enum HeartRateRows {
  static func settings(_ patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> HeartRateSettings
  {
    try reader.first(settingsStatement, [.text(patient)])?.decode(as: HeartRateSettingsRow.self)
      .settings ?? HeartRateSettings()
  }

  private static let settingsStatement = SQLStatement(
    "SELECT \(HeartRateSettingsRow.columns) FROM heart_rate_monitoring WHERE patient = $1")

  /// Saves the settings and makes the check due at once.
  static func save(
    _ settings: HeartRateSettings, of patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      saveStatement,
      SavedHeartRateSettingsRow(patient: patient, settings: settings, saved: now).values)
  }

  private static let saveStatement = SQLStatement(
    """
    INSERT INTO heart_rate_monitoring (\(SavedHeartRateSettingsRow.columns))
    VALUES (\(SavedHeartRateSettingsRow.placeholders))
    ON CONFLICT (patient) DO UPDATE SET is_on = excluded.is_on, method = excluded.method,
      window_from = excluded.window_from, window_until = excluded.window_until,
      is_chosen = excluded.is_chosen, plans = excluded.plans, has_wear = excluded.has_wear,
      news = excluded.news, next_check = excluded.next_check, changed = excluded.changed,
      tells_family = excluded.tells_family, false_days = excluded.false_days
    """)

  /// Returns the plans that are no longer monitored, with the time until which they were.
  static func unmonitored(_ patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [PlanID: Timestamp]
  {
    var found: [PlanID: Timestamp] = [:]
    for row in try reader.query(unmonitoredStatement, [.text(patient)]) {
      let row = try row.decode(as: UnmonitoredPlanRow.self)
      found[row.plan] = row.until
    }
    return found
  }

  private static let unmonitoredStatement = SQLStatement(
    "SELECT \(UnmonitoredPlanRow.columns) FROM heart_rate_unmonitored WHERE patient = $1")

  /// Records which plans are no longer monitored, and which are again.
  static func note(
    unmonitored ended: Set<PlanID>, monitored: [PlanID], of patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    for plan in monitored {
      try writer.execute(
        "DELETE FROM heart_rate_unmonitored WHERE patient = $1 AND plan = $2",
        [.text(patient), .text(plan)])
    }
    for plan in ended.sorted() {
      try writer.execute(
        """
        INSERT INTO heart_rate_unmonitored (patient, plan, until) VALUES ($1, $2, $3)
        ON CONFLICT (patient, plan) DO UPDATE SET until = excluded.until
        """, [.text(patient), .text(plan), SQLValue(now)])
    }
  }

  /// The overlap of checks in milliseconds: a concurrent write may have a slightly earlier time, so it is
  /// checked once more.
  private static let overlap: Int64 = 30_000

  /// Records up to when vitals were checked, and the time of the next check without new ones.
  static func looked(
    _ patient: PatientID, at now: Timestamp, next: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE heart_rate_monitoring SET checked = $1, next_check = $2 WHERE patient = $3",
      [SQLValue(now.adding(milliseconds: -overlap)), SQLValue(next), .text(patient)])
  }

  /// Returns the people whose heart rate is due for a check, because of the time or new recent data.
  ///
  /// Starts after a person, in the order of ids, so that no one blocks the others.
  static func waiting(
    _ now: Timestamp, since day: String, after last: PatientID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID] {
    try reader.query(
      """
      SELECT h.patient FROM heart_rate_monitoring h
      WHERE h.is_on = 1 AND (h.next_check <= $1 OR EXISTS (
        SELECT 1 FROM vital_days v WHERE v.patient = h.patient
          AND v.metric IN ('resting-heart-rate', 'heart-rate', 'steps') AND v.day >= $2
          AND v.changed > h.checked)) AND h.patient > $3
      ORDER BY h.patient LIMIT $4
      """, [SQLValue(now), .text(day), .text(last), SQLValue(limit)]
    ).values()
  }

  /// Returns the limits that were set for a person, the earliest first.
  package static func boundaries(_ patient: PatientID, in reader: any SQLReader)
    throws(StorageError)
    -> [BoundarySetting]
  {
    try reader.query(boundariesStatement, [.text(patient)]).decode(as: BoundaryRow.self)
      .map(\.setting)
  }

  private static let boundariesStatement = SQLStatement(
    """
    SELECT \(BoundaryRow.columns) FROM heart_rate_boundaries
    WHERE patient = $1 ORDER BY created, boundary
    """)

  static func add(
    _ setting: BoundarySetting, id: String, of patient: PatientID, by account: AccountID,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      addStatement,
      NewBoundaryRow(patient: patient, boundary: id, setting: setting, account: account).values)
  }

  private static let addStatement = SQLStatement(
    """
    INSERT INTO heart_rate_boundaries (\(NewBoundaryRow.columns))
    VALUES (\(NewBoundaryRow.placeholders))
    """)
}

/// Numbers in their stored form, so that both engines return the same.
enum Thousandths {
  static func of(_ number: Double) -> Int64 { Int64((number * 1_000).rounded()) }
  static func number(_ thousandths: Int64) -> Double { Double(thousandths) / 1_000 }
}
