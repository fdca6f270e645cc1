// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The rows of `heart_watching` and `heart_boundaries`.
enum WatchRows {
  static func settings(_ patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> WatchSettings
  {
    guard
      let row = try reader.first(
        """
        SELECT is_on, method, window_from, window_until, is_chosen, plans, has_wear, news,
          tells_family
        FROM heart_watching WHERE patient = $1
        """, [.text(patient)])
    else { return WatchSettings() }
    var settings = WatchSettings()
    settings.isOn = try row.bool(0)
    settings.method = try row.named(1)
    let (from, until) = (Int(try row.integer(2)), Int(try row.integer(3)))
    settings.window = from..<max(from, until)
    let plans = try row.text(5).split(separator: "\n").map { PlanID(String($0)) }
    settings.plans = try row.bool(4) ? plans : nil
    settings.hasWear = try row.bool(6)
    settings.news = Int(try row.integer(7))
    settings.tellsFamily = try row.bool(8)
    return settings
  }

  /// Keeps the settings; whatever is known is judged anew at once.
  static func save(
    _ settings: WatchSettings, of patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO heart_watching (patient, is_on, method, window_from, window_until, is_chosen,
        plans, has_wear, news, checked, next_check, changed, tells_family)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $10, $11)
      ON CONFLICT (patient) DO UPDATE SET is_on = excluded.is_on, method = excluded.method,
        window_from = excluded.window_from, window_until = excluded.window_until,
        is_chosen = excluded.is_chosen, plans = excluded.plans, has_wear = excluded.has_wear,
        news = excluded.news, next_check = excluded.next_check, changed = excluded.changed,
        tells_family = excluded.tells_family
      """,
      [
        .text(patient), SQLValue(settings.isOn), .text(settings.method.rawValue),
        SQLValue(settings.window.lowerBound), SQLValue(settings.window.upperBound),
        SQLValue(settings.plans != nil),
        .text((settings.plans ?? []).map(\.text).joined(separator: "\n")),
        SQLValue(settings.hasWear),
        SQLValue(settings.news), SQLValue(now), SQLValue(settings.tellsFamily),
      ])
  }

  /// Plans that were watched and are no more, with the moment until which.
  static func unwatched(_ patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [PlanID: Timestamp]
  {
    var found: [PlanID: Timestamp] = [:]
    for row in try reader.query(
      "SELECT plan, until FROM heart_unwatched WHERE patient = $1", [.text(patient)])
    { found[try row.id(0)] = try row.timestamp(1) }
    return found
  }

  /// Notes which plans are watched no more, and which again.
  static func note(
    unwatched ended: Set<PlanID>, watched: [PlanID], of patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    for plan in watched {
      try writer.execute(
        "DELETE FROM heart_unwatched WHERE patient = $1 AND plan = $2",
        [.text(patient), .text(plan)])
    }
    for plan in ended.sorted() {
      try writer.execute(
        """
        INSERT INTO heart_unwatched (patient, plan, until) VALUES ($1, $2, $3)
        ON CONFLICT (patient, plan) DO UPDATE SET until = excluded.until
        """, [.text(patient), .text(plan), SQLValue(now)])
    }
  }

  /// What is written while somebody looks may carry an instant from just before: it is looked at once more.
  private static let overlap: Int64 = 30_000

  /// Says up to when vitals were looked at, and when to look again though none are new.
  static func looked(
    _ patient: PatientID, at now: Timestamp, next: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE heart_watching SET checked = $1, next_check = $2 WHERE patient = $3",
      [SQLValue(now.adding(milliseconds: -overlap)), SQLValue(next), .text(patient)])
  }

  /// Whose heart rate is to be looked at: the time has come, or something new of the last days is there;
  /// those after a person, in the order of their ids, so that nobody stands in the way of the others.
  static func waiting(
    _ now: Timestamp, since day: String, after last: PatientID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID] {
    var found: [PatientID] = []
    for row in try reader.query(
      """
      SELECT h.patient FROM heart_watching h
      WHERE h.is_on = 1 AND (h.next_check <= $1 OR EXISTS (
        SELECT 1 FROM vital_days v WHERE v.patient = h.patient
          AND v.metric IN ('resting-heart-rate', 'heart-rate', 'steps') AND v.day >= $2
          AND v.changed > h.checked)) AND h.patient > $3
      ORDER BY h.patient LIMIT $4
      """, [SQLValue(now), .text(day), .text(last), SQLValue(limit)])
    { found.append(try row.id(0)) }
    return found
  }

  /// The limits of a person, the earliest first.
  static func boundaries(_ patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [BoundarySetting]
  {
    var found: [BoundarySetting] = []
    for row in try reader.query(
      """
      SELECT since, owner, value, gap, phase, average, days, by_name, created
      FROM heart_boundaries WHERE patient = $1 ORDER BY created, boundary
      """, [.text(patient)])
    {
      guard let since = CivilDate(text: try row.text(0)) else {
        throw .unexpectedValue(column: 0, expected: .text)
      }
      var setting = BoundarySetting(
        since: since, owner: try row.named(1),
        value: try row.optionalInteger(2).map(Thousandths.number),
        gap: Thousandths.number(try row.integer(3)), byName: try row.text(7),
        created: try row.timestamp(8))
      if let phase = try row.optionalText(4).flatMap(BoundarySetting.Phase.init(rawValue:)),
        let average = try row.optionalInteger(5), let days = try row.optionalInteger(6)
      {
        setting.calibration = .init(
          phase: phase, average: Thousandths.number(average), days: Int(days))
      }
      found.append(setting)
    }
    return found
  }

  static func add(
    _ setting: BoundarySetting, id: String, of patient: PatientID, by account: AccountID,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO heart_boundaries (patient, boundary, since, owner, value, gap, phase, average,
        days, account, by_name, created)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      """,
      [
        .text(patient), .text(id), .text(setting.since.text), .text(setting.owner.rawValue),
        SQLValue(setting.value.map(Thousandths.of)), .integer(Thousandths.of(setting.gap)),
        SQLValue(setting.calibration?.phase.rawValue),
        SQLValue(setting.calibration.map { Thousandths.of($0.average) }),
        SQLValue(setting.calibration?.days), .text(account), .text(setting.byName),
        SQLValue(setting.created),
      ])
  }
}

/// Numbers as they are kept, so that both engines give the same back.
enum Thousandths {
  static func of(_ number: Double) -> Int64 { Int64((number * 1_000).rounded()) }
  static func number(_ thousandths: Int64) -> Double { Double(thousandths) / 1_000 }
}
