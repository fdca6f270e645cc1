// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The table `alarms`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum AlarmStore {
  static func one(_ id: AlarmID, patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> (alarm: Alarm, isRemoved: Bool)?
  {
    let row = try reader.first(oneStatement, [.text(patient), .text(id)])?.read(AlarmRow.self)
    guard let row, let alarm = try Alarm(row) else { return nil }
    return (alarm, row[.removed] != .null)
  }

  private static let oneStatement = SQLStatement(
    "SELECT \(AlarmRow.columns) FROM alarms WHERE patient = $1 AND alarm = $2")

  static func all(patient: PatientID, in reader: any SQLReader) throws(StorageError) -> [Alarm] {
    try read(reader.query(allStatement, [.text(patient)]))
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(AlarmRow.columns)
    FROM alarms WHERE patient = $1 AND removed IS NULL ORDER BY minute, created, alarm
    """)

  /// Returns the active alarms of all patients, including those whose last time has passed.
  static func on(in reader: any SQLReader) throws(StorageError) -> [Alarm] {
    try read(reader.query(onStatement, []))
  }

  private static let onStatement = SQLStatement(
    """
    SELECT \(AlarmRow.columns)
    FROM alarms WHERE is_on = 1 AND removed IS NULL ORDER BY patient, alarm
    """)

  /// Returns the alarms whose time has come, without those that another node is processing.
  static func due(_ now: Timestamp, limit: Int, in reader: any SQLReader) throws(StorageError)
    -> [Alarm]
  {
    try read(reader.query(dueStatement, [SQLValue(now), SQLValue(limit)]))
  }

  private static let dueStatement = SQLStatement(
    """
    SELECT \(AlarmRow.columns)
    FROM alarms WHERE next_due <= $1 ORDER BY next_due LIMIT $2
      /*postgresql FOR UPDATE SKIP LOCKED */
    """)

  /// Returns the alarms that need an advance notice now.
  static func leading(_ now: Timestamp, limit: Int, in reader: any SQLReader) throws(StorageError)
    -> [Alarm]
  {
    try read(reader.query(leadingStatement, [SQLValue(now), SQLValue(limit)]))
  }

  private static let leadingStatement = SQLStatement(
    """
    SELECT \(AlarmRow.columns)
    FROM alarms WHERE next_lead <= $1 ORDER BY next_lead LIMIT $2
      /*postgresql FOR UPDATE SKIP LOCKED */
    """)

  private static func read(_ rows: [SQLRow]) throws(StorageError) -> [Alarm] {
    var found: [Alarm] = []
    found.reserveCapacity(rows.count)
    for row in rows {
      if let alarm = try Alarm(row.read(AlarmRow.self)) { found.append(alarm) }
    }
    return found
  }

  // MARK: Writing

  static func insert(_ alarm: Alarm, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(insertStatement, NewAlarmRow(alarm: alarm, created: now).values)
  }

  private static let insertStatement = SQLStatement(
    "INSERT INTO alarms (\(NewAlarmRow.columns)) VALUES (\(NewAlarmRow.placeholders))")

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

  /// Updates only the next times at which the alarm rings and is announced.
  static func wait(
    _ alarm: Alarm, next: Timestamp?, lead: Timestamp?, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE alarms SET next_due = $1, next_lead = $2 WHERE patient = $3 AND alarm = $4",
      [SQLValue(next), SQLValue(lead), .text(alarm.patient), .text(alarm.id)])
  }

  /// Replaces a removed sound with the standard one.
  static func replace(
    sound: String, with other: String, of patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE alarms SET sound = $1 WHERE patient = $2 AND sound = $3",
      [.text(other), .text(patient), .text(sound)])
  }

  /// Deletes alarms that were removed before an instant.
  static func forget(patient: PatientID, before instant: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      "DELETE FROM alarms WHERE patient = $1 AND removed < $2",
      [.text(patient), SQLValue(instant)])
  }
}

extension Alarm {
  /// Returns the time of the advance notice; nil if it has passed.
  func lead(after now: Timestamp) -> Timestamp? {
    guard let next, let lead = draft.lead else { return nil }
    let moment = next.adding(milliseconds: -Int64(lead) * 60_000)
    return moment > now ? moment : nil
  }
}
