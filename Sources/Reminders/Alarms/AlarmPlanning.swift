// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// The source of alarms for the reminder engine.
package struct AlarmPlanning: AlertSource {
  /// Creates the source.
  package init() {}

  /// Opens alerts for alarms whose time has come, and sets the next time of each.
  ///
  /// Of several times that passed while the server was not running, only the last one becomes an
  /// alert.
  package func takeUp(
    limit: Int, in planning: inout ReminderPlanning
  ) throws(StorageError) {
    let (context, writer) = (planning.context, planning.writer)
    for alarm in try AlarmStore.leading(context.now, limit: limit, in: writer) {
      try announce(alarm, in: &planning)
    }
    for alarm in try AlarmStore.due(context.now, limit: limit, in: writer) {
      guard var due = alarm.next else { continue }
      planning.count(alarm.patient)
      let zone = try zone(of: alarm.patient, in: planning)
      let times = alarm.draft.times
      var next = times.next(after: due, in: zone)
      // An alarm rings at most once a day, so a long outage takes a few thousand steps.
      while let passed = next, passed.instant <= context.now {
        due = passed.instant
        next = times.next(after: due, in: zone)
      }
      try AlertCommands.open(
        NewAlert(
          patient: alarm.patient, id: alarm.alert(at: due, in: zone), kind: .alarm,
          source: alarm.id.text, due: due, ends: due.adding(milliseconds: Self.alarmMilliseconds)),
        newIdentifier: context.newIdentifier, at: context.now, in: writer)
      let coming = Alarm(
        patient: alarm.patient, id: alarm.id, draft: alarm.draft, era: alarm.era,
        next: next?.instant, version: alarm.version)
      try AlarmStore.wait(
        coming, next: coming.next, lead: coming.lead(after: context.now), in: writer)
    }
  }

  private func announce(
    _ alarm: Alarm, in planning: inout ReminderPlanning
  ) throws(StorageError) {
    let (context, writer) = (planning.context, planning.writer)
    try AlarmStore.wait(alarm, next: alarm.next, lead: nil, in: writer)
    planning.count(alarm.patient)
    guard let due = alarm.next, due > context.now, let lead = alarm.draft.lead else { return }
    let alert = alarm.alert(at: due, in: try zone(of: alarm.patient, in: planning))
    try AlertCommands.open(
      NewAlert(
        patient: alarm.patient, id: AlertID("lead-\(alert)-\(lead)"), kind: .lead,
        source: alarm.id.text,
        due: due,
        ringsFrom: due.adding(milliseconds: -Int64(lead) * 60_000), ends: due),
      newIdentifier: context.newIdentifier, at: context.now, in: writer)
  }

  private func zone(
    of patient: PatientID, in planning: ReminderPlanning
  ) throws(StorageError) -> Zone {
    let person = try PeopleRows.load(patient, in: planning.writer)
    return person.flatMap { try? planning.context.zones.zone($0.zone) } ?? .utc
  }

  /// Recalculates the next times of alarms after the clock was set back by at least a minute.
  package func clockStepped(
    back milliseconds: Int64, _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) {
    guard milliseconds >= AlarmClock.smallestStep else { return }
    try AlarmClock.steppedBack(context.now, zones: context.zones, in: writer)
  }

  /// The time for which an alarm accepts an answer, in milliseconds: half the time to the next one, as for a
  /// daily dose.
  private static let alarmMilliseconds: Int64 = 12 * 3_600_000
}

extension Alarm {
  /// Returns the identifier of the alarm at one of its times, the same each time it is planned.
  func alert(at due: Timestamp, in zone: Zone) -> AlertID {
    let date = zone.date(at: Instant(due)).text.filter { $0 != "-" }
    return AlertID("\(id)-\(era)-\(date)")
  }
}
