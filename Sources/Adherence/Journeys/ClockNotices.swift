// SPDX-License-Identifier: Apache-2.0

import Access
import Scheduling
import Storage
import TimeZones

/// Tells the evening before that the clocks are set, where that moves doses: once, between six and nine and not in
/// the quiet hours, unless the person does not want to be told.
///
/// What was looked at is kept in `clock_notices`, in the transaction that opens the reminder: neither a restart nor a
/// second node tells it again.
package enum ClockNotices {
  /// Between these minutes of the person's day.
  static let hours = 18 * 60..<21 * 60

  /// A person for whom a change of the clock is to be looked at.
  package struct Due: Sendable, Hashable {
    package let patient: String
    let zone: String
    let change: Timestamp
  }

  /// Those in whose zone it is the evening before.
  package static func due(
    _ now: Timestamp, limit: Int, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(StorageError) -> [Due] {
    var due: [Due] = []
    for row in try reader.query("SELECT DISTINCT zone FROM people ORDER BY zone") {
      let name = try row.text(0)
      guard due.count < limit, let zone = try? zones.zone(name),
        let change = Self.change(after: now, in: zone)
      else { continue }
      let people = try reader.query(
        """
        SELECT u.patient FROM people u
        LEFT JOIN ladder_settings y ON y.patient = u.patient
        WHERE u.zone = $1 AND COALESCE(y.tells_clock, 1) = 1
          AND EXISTS (SELECT 1 FROM plans p WHERE p.patient = u.patient
            AND p.status = 'active' AND p.unplanned_reason IS NULL)
          AND NOT EXISTS (SELECT 1 FROM clock_notices n WHERE n.patient = u.patient
            AND n.at = $2)
        ORDER BY u.patient LIMIT $3
        """, [.text(name), SQLValue(change), SQLValue(limit - due.count)])
      for person in people {
        due.append(Due(patient: try person.text(0), zone: name, change: change))
      }
    }
    return due
  }

  /// The change of a clock of which the evening before is now; nil at any other time.
  static func change(after now: Timestamp, in zone: Zone) -> Timestamp? {
    let local = zone.local(at: Instant(now))
    guard hours.contains(local.time.secondsOfDay / 60) else { return nil }
    let end = zone.startOfDay(local.date.adding(days: 2))
    return zone.changes(after: Instant(now), until: end).first.map { Timestamp($0.instant) }
  }

  /// Looks at one person's doses; whether there is something to tell.
  ///
  /// Wake the reminder loop after the commit.
  package static func look(
    at due: Due, now: Timestamp, zones: ZoneCatalog, newIdentifier: () -> String,
    in writer: any SQLWriter
  ) throws(PlanError) -> Bool {
    try planning {
      let zone = try zones.zone(due.zone)
      let end = zone.startOfDay(zone.local(at: Instant(now)).date.adding(days: 2))
      let moves = try DoseQueries.movedByClock(
        patient: due.patient, from: now, until: Timestamp(end), zones: zones, in: writer)
      let quiet = try LadderReading.quietHours([due.patient], zones: zones, in: writer)
      let moment = moves.isEmpty ? nil : Self.moment(now, zone: zone, quiet: quiet[due.patient])
      let subject = newIdentifier()
      let isNew =
        try writer.execute(
          """
          INSERT INTO clock_notices (patient, at, looked, reminder) VALUES ($1, $2, $3, $4)
          ON CONFLICT (patient, at) DO NOTHING
          """,
          [
            .text(due.patient), SQLValue(due.change), SQLValue(now),
            SQLValue(moment == nil ? nil : subject),
          ]) > 0
      guard isNew, let moment else { return false }
      try ReminderRows.insert(
        ReminderRow(
          patient: due.patient, subject: subject, kind: .clock, starts: moment.starts,
          due: due.change, ends: moment.ends, opened: now), in: writer)
      return true
    }
  }

  /// Whether it is still wanted.
  static func stands(_ reminder: ReminderRow, in reader: any SQLReader) throws(StorageError) -> Bool
  {
    try reader.first(
      "SELECT 1 FROM ladder_settings WHERE patient = $1 AND tells_clock = 0",
      [.text(reminder.patient)]) == nil
  }

  /// From when and until when this evening it may be said; nil where the quiet hours leave nothing of it.
  static func moment(
    _ now: Timestamp, zone: Zone, quiet: LadderTiming?
  ) -> (starts: Timestamp, ends: Timestamp)? {
    guard let time = ClockTime(secondsOfDay: hours.upperBound * 60),
      let end = zone.instant(of: zone.local(at: Instant(now)).date, at: time)
    else { return nil }
    let starts = quiet?.held(at: now) ?? now
    let ends = Timestamp(end.instant)
    return starts < ends ? (starts, ends) : nil
  }

  // MARK: The choice

  /// Whether a person is told.
  package static func tells(
    _ patient: String, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      "SELECT 1 FROM ladder_settings WHERE patient = $1 AND tells_clock = 0", [.text(patient)])
      == nil
  }

  /// Keeps whether a person is told; the caller has decided that the account may act for them.
  package static func choose(
    _ tells: Bool, of patient: String, by account: String, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO ladder_settings (patient, names_medicine, tells_clock) VALUES ($1, 0, $2)
      ON CONFLICT (patient) DO UPDATE SET tells_clock = excluded.tells_clock
      """, [.text(patient), SQLValue(tells)])
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: patient, resource: "ReminderSettings",
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }
}
