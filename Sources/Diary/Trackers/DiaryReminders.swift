// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Observations
import People
import Plans
import Reminders
import Scheduling
import Storage

/// Reminders to enter a value: alarms of the person that also end when the value is entered.
///
/// They ring, escalate, snooze and are changed like every other alarm.
package enum DiaryReminders {
  /// Adds a reminder on every day.
  ///
  /// - Parameters:
  ///   - label: the name of the alarm.
  /// - Throws: ``DiaryError/time`` if the tracker cannot have one, and `AlarmError`.
  package static func add(
    _ id: TrackerID, label: String, at time: ClockTime, of patient: PatientID,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws -> Alarm {
    _ = try VitalCommands.authorize(.create, patient: patient, context)
    guard let tracker = try TrackerStore.tracker(id, of: patient, in: writer), tracker.canRemind
    else { throw DiaryError.notFound }
    let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
    let today = zone.date(at: Instant(milliseconds: context.now.milliseconds))
    let commands = AlarmCommands(
      patient: patient, account: context.actor.accountID, now: context.now, zones: context.zones)
    let alarm = try commands.create(
      AlarmDraft(
        kind: .own, label: String(label.prefix(AlarmDraft.longestLabel)),
        times: AlarmTimes(time: time, days: Set(Weekday.allCases), starts: today)),
      id: context.newID(), in: writer)
    try writer.execute(
      "INSERT INTO diary_reminders (patient, alarm, tracker) VALUES ($1, $2, $3)",
      [.text(patient), .text(alarm.id), .text(id)])
    return alarm
  }

  /// Returns the reminders of a tracker, by time of day.
  package static func alarms(
    of id: TrackerID, _ patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Alarm] {
    let linked = Set(try identifiers(of: id, patient, in: reader))
    guard !linked.isEmpty else { return [] }
    return try AlarmQueries.all(patient: patient, in: reader).filter { linked.contains($0.id.text) }
  }

  /// Answers the ringing reminders of a tracker with "done", because a value was entered.
  static func end(
    _ id: TrackerID, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let linked = Set(try identifiers(of: id, patient, in: writer))
    guard !linked.isEmpty else { return }
    for alert in try AlertQueries.ending(after: context.now, patient: patient, in: writer)
    where alert.kind == .alarm && alert.state == .open && linked.contains(alert.source) {
      _ = try AlertCommands.answer(
        alert.id, patient: patient, AlertAnswer(.done), account: context.actor.accountID,
        byName: context.byName, at: context.now, in: writer)
    }
  }

  private static func identifiers(
    of id: TrackerID, _ patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    try reader.query(
      "SELECT alarm FROM diary_reminders WHERE patient = $1 AND tracker = $2",
      [.text(patient), .text(id)]
    ).values()
  }
}
