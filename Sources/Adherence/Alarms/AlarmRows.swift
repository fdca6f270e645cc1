// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import TimeZones

/// The rows of `alarms`.
enum AlarmRows {
  static func one(_ id: AlarmID, patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> (alarm: Alarm, isRemoved: Bool)?
  {
    let row = try reader.first(
      """
      SELECT patient, alarm, kind, label, minute, weekdays, starts, ends, sound, snooze, lead, is_on,
        era, next_due, version, removed
      FROM alarms WHERE patient = $1 AND alarm = $2
      """, [.text(patient), .text(id)])
    guard let row, let alarm = try Alarm(row) else { return nil }
    return (alarm, row[15] != .null)
  }

  static func all(patient: PatientID, in reader: any SQLReader) throws(StorageError) -> [Alarm] {
    try read(
      try reader.query(
        """
        SELECT patient, alarm, kind, label, minute, weekdays, starts, ends, sound, snooze, lead,
          is_on, era, next_due, version
        FROM alarms WHERE patient = $1 AND removed IS NULL ORDER BY minute, created, alarm
        """, [.text(patient)]))
  }

  /// Those of all patients that are on, over or not.
  static func on(in reader: any SQLReader) throws(StorageError) -> [Alarm] {
    try read(
      try reader.query(
        """
        SELECT patient, alarm, kind, label, minute, weekdays, starts, ends, sound, snooze, lead,
          is_on, era, next_due, version
        FROM alarms WHERE is_on = 1 AND removed IS NULL ORDER BY patient, alarm
        """))
  }

  /// Those whose time has come; not those that another node is looking at.
  static func due(_ now: Timestamp, limit: Int, in reader: any SQLReader) throws(StorageError)
    -> [Alarm]
  {
    try read(
      try reader.query(
        """
        SELECT patient, alarm, kind, label, minute, weekdays, starts, ends, sound, snooze, lead,
          is_on, era, next_due, version
        FROM alarms WHERE next_due <= $1 ORDER BY next_due LIMIT $2
          /*postgresql FOR UPDATE SKIP LOCKED */
        """, [SQLValue(now), SQLValue(limit)]))
  }

  /// Those that are to be announced now.
  static func leading(_ now: Timestamp, limit: Int, in reader: any SQLReader) throws(StorageError)
    -> [Alarm]
  {
    try read(
      try reader.query(
        """
        SELECT patient, alarm, kind, label, minute, weekdays, starts, ends, sound, snooze, lead,
          is_on, era, next_due, version
        FROM alarms WHERE next_lead <= $1 ORDER BY next_lead LIMIT $2
          /*postgresql FOR UPDATE SKIP LOCKED */
        """, [SQLValue(now), SQLValue(limit)]))
  }

  static func insert(_ alarm: Alarm, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    let draft = alarm.draft
    try writer.execute(
      """
      INSERT INTO alarms (patient, alarm, kind, label, minute, weekdays, starts, ends, sound, snooze,
        lead, is_on, era, next_due, next_lead, version, created)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
      """,
      [
        .text(alarm.patient), .text(alarm.id), .text(draft.kind.rawValue), .text(draft.label),
        SQLValue(draft.times.time.secondsOfDay / 60), SQLValue(draft.times.mask),
        .text(draft.times.starts.text), SQLValue(draft.times.ends?.text), .text(draft.sound),
        SQLValue(draft.snooze), SQLValue(draft.lead), SQLValue(draft.isOn), .integer(alarm.era),
        SQLValue(alarm.next), SQLValue(alarm.lead(after: now)), .integer(alarm.version),
        SQLValue(now),
      ])
  }

  static func update(
    _ alarm: Alarm, isRemoved: Bool = false, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let draft = alarm.draft
    try writer.execute(
      """
      UPDATE alarms SET kind = $1, label = $2, minute = $3, weekdays = $4, starts = $5, ends = $6,
        sound = $7, snooze = $8, lead = $9, is_on = $10, era = $11, next_due = $12, next_lead = $13,
        version = $14, removed = $15
      WHERE patient = $16 AND alarm = $17
      """,
      [
        .text(draft.kind.rawValue), .text(draft.label),
        SQLValue(draft.times.time.secondsOfDay / 60), SQLValue(draft.times.mask),
        .text(draft.times.starts.text), SQLValue(draft.times.ends?.text), .text(draft.sound),
        SQLValue(draft.snooze), SQLValue(draft.lead), SQLValue(draft.isOn), .integer(alarm.era),
        SQLValue(alarm.next), SQLValue(alarm.lead(after: now)), .integer(alarm.version),
        isRemoved ? SQLValue(now) : .null, .text(alarm.patient), .text(alarm.id),
      ])
  }

  /// Writes only when it rings and is announced next.
  static func wait(
    _ alarm: Alarm, next: Timestamp?, lead: Timestamp?, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE alarms SET next_due = $1, next_lead = $2 WHERE patient = $3 AND alarm = $4",
      [SQLValue(next), SQLValue(lead), .text(alarm.patient), .text(alarm.id)])
  }

  /// Forgets alarms that were removed long ago.
  static func forget(patient: PatientID, before instant: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      "DELETE FROM alarms WHERE patient = $1 AND removed < $2",
      [.text(patient), SQLValue(instant)])
  }

  private static func read(_ rows: [SQLRow]) throws(StorageError) -> [Alarm] {
    var found: [Alarm] = []
    found.reserveCapacity(rows.count)
    for row in rows {
      if let alarm = try Alarm(row) { found.append(alarm) }
    }
    return found
  }
}

extension Alarm {
  /// When it is announced; nil where that moment has passed.
  func lead(after now: Timestamp) -> Timestamp? {
    guard let next, let lead = draft.lead else { return nil }
    let moment = next.adding(milliseconds: -Int64(lead) * 60_000)
    return moment > now ? moment : nil
  }

  /// Nil for a row that this program cannot read.
  fileprivate init?(_ row: SQLRow) throws(StorageError) {
    let minute = Int(clamping: try row.integer(4))
    guard let kind = AlarmKind(rawValue: try row.text(2)),
      let time = ClockTime(secondsOfDay: minute.multipliedReportingOverflow(by: 60).partialValue),
      let starts = CivilDate(text: try row.text(6))
    else { return nil }
    patient = try row.id(0)
    id = try row.id(1)
    let times = AlarmTimes(
      time: time, days: AlarmTimes.days(mask: Int(clamping: try row.integer(5))), starts: starts,
      ends: try row.optionalText(7).flatMap { CivilDate(text: $0) })
    draft = AlarmDraft(
      kind: kind, label: try row.text(3), times: times, sound: try row.text(8),
      snooze: Int(clamping: try row.integer(9)),
      lead: try row.optionalInteger(10).map { Int(clamping: $0) }, isOn: try row.bool(11))
    era = try row.integer(12)
    next = try row.optionalTimestamp(13)
    version = try row.integer(14)
  }
}
