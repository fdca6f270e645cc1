// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

/// The row of `reminder_clock`.
enum ReminderClock {
  /// The interval at which the time is recorded, in milliseconds.
  static let stepMilliseconds: Int64 = 10_000
  /// The time in milliseconds by which the clock may be behind the recorded time.
  static let toleranceMilliseconds: Int64 = 5 * 60_000

  /// Returns the time at which the engine first ran; now if it never did.
  static func began(_ now: Timestamp, in writer: any SQLWriter) throws(StorageError) -> Timestamp {
    if let row = try writer.first("SELECT began FROM reminder_clock WHERE clock = 1") {
      return try row.value()
    }
    try set(now, in: writer)
    return now
  }

  static func tick(in reader: any SQLReader) throws(StorageError) -> Timestamp? {
    try reader.first("SELECT tick FROM reminder_clock WHERE clock = 1")?.value()
  }

  static func set(_ now: Timestamp, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO reminder_clock (clock, tick, began) VALUES (1, $1, $1)
      ON CONFLICT (clock) DO UPDATE SET tick = excluded.tick
      """, [SQLValue(now)])
  }
}

extension ReminderEngine {
  /// Returns true unless the clock is more than five minutes behind the latest time recorded.
  ///
  /// While it is behind, nothing is planned or sent, until it catches up or an administrator confirms it.
  package static func clockIsTrusted(_ now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> Bool
  {
    guard let tick = try ReminderClock.tick(in: reader) else { return true }
    return now >= tick.adding(milliseconds: -ReminderClock.toleranceMilliseconds)
  }

  /// Records the time, at most every ten seconds; an earlier time than the latest one changes nothing.
  package static func tick(_ now: Timestamp, in writer: any SQLWriter) throws(StorageError) {
    if let tick = try ReminderClock.tick(in: writer),
      now < tick.adding(milliseconds: ReminderClock.stepMilliseconds)
    {
      return
    }
    try ReminderClock.set(now, in: writer)
  }

  /// Records an administrator's confirmation that the clock is right, although it went back.
  package static func trustClock(_ now: Timestamp, by account: AccountID, in writer: any SQLWriter)
    throws(StorageError)
  {
    try ReminderClock.set(now, in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: nil, resource: "ReminderClock",
        resourceID: nil, version: nil, purpose: "administration", outcome: .success))
  }

  /// Corrects the times of everything that would wait too long because the clock was set back by
  /// some milliseconds.
  ///
  /// The context has the time after the step. Times that plans and people chose stay as they are.
  package static func clockStepped(
    back milliseconds: Int64, _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) {
    guard milliseconds > 0 else { return }
    let now = context.now
    // Retries and leases were set by the old clock.
    try DeliveryStore.clockStepped(back: milliseconds, now: now, in: writer)
    // So were the steps of reminders that began in what is now the future.
    try ReminderStore.clockStepped(back: milliseconds, now: now, in: writer)
    try context.sources.alarms.clockStepped(back: milliseconds, context, in: writer)
  }

  /// Corrects, at a start, the plans of an earlier process if the clock has been set back since.
  package static func resume(_ context: ReminderContext, in writer: any SQLWriter)
    throws(StorageError)
  {
    guard let tick = try ReminderClock.tick(in: writer), context.now < tick else { return }
    try clockStepped(
      back: tick.milliseconds.subtractingClamped(context.now.milliseconds), context, in: writer)
  }

  /// Releases the deliveries claimed by a process that no longer runs; only for a database with a
  /// single process.
  package static func releaseLeases(in writer: any SQLWriter) throws(StorageError) {
    try DeliveryStore.releaseLeases(in: writer)
  }

  /// Returns the earliest time at which there is work; nil if there is none ahead.
  package static func nextMoment(in reader: any SQLReader) throws(StorageError) -> Timestamp? {
    // A single statement, because it runs after each change.
    guard let row = try reader.first(nextStatement)?.read(NextMomentRow.self) else { return nil }
    var earliest: Timestamp?
    for column in NextMomentRow.Column.allCases {
      guard let moment = try row.optionalTimestamp(column) else { continue }
      earliest = min(moment, earliest ?? moment)
    }
    return earliest
  }

  private static let nextStatement = SQLStatement("SELECT \(NextMomentRow.columns)")
}

/// The next times at which each table needs work.
enum NextMomentRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case dose, reminder, delivery, alarm, lead
  }

  static let columns = SQLColumns<Column>(
    [
      .dose: """
      (SELECT COALESCE(later_until, due) FROM doses WHERE state = 'open' AND reminder IS NULL
        ORDER BY COALESCE(later_until, due) LIMIT 1)
      """,
      .reminder: """
      (SELECT next_at FROM reminders WHERE state = 'ringing' ORDER BY next_at LIMIT 1)
      """,
      .delivery: """
      (SELECT next_try FROM deliveries WHERE state = 'waiting' ORDER BY next_try LIMIT 1)
      """,
      .alarm: """
      (SELECT next_due FROM alarms WHERE next_due IS NOT NULL ORDER BY next_due LIMIT 1)
      """,
      .lead: """
      (SELECT next_lead FROM alarms WHERE next_lead IS NOT NULL ORDER BY next_lead LIMIT 1)
      """,
    ])
}
