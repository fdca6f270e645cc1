// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// Reschedules alarms after the clock was set back, so that those skipped by the wrong clock ring at their
/// time.
enum AlarmClock {
  /// The smallest step back, in milliseconds, that is corrected: a smaller one skips no alarm, since the
  /// engine checks every minute.
  static let smallestStep: Int64 = 60_000

  static func steppedBack(_ now: Timestamp, zones: ZoneCatalog, in writer: any SQLWriter)
    throws(StorageError)
  {
    var known: [PatientID: Zone] = [:]
    for alarm in try AlarmStore.on(in: writer) {
      let zone: Zone
      if let found = known[alarm.patient] {
        zone = found
      } else {
        let person = try PeopleRows.load(alarm.patient, in: writer)
        zone = person.flatMap { try? zones.zone($0.zone) } ?? .utc
        known[alarm.patient] = zone
      }
      try bringBack(alarm, now, zone, in: writer)
    }
  }

  private static func bringBack(
    _ alarm: Alarm, _ now: Timestamp, _ zone: Zone, in writer: any SQLWriter
  ) throws(StorageError) {
    // Alarms that rang early, or were recorded as missed, and have no answer ring at their time under a new
    // identifier.
    let early = try AlertRows.ending(after: now, patient: alarm.patient, in: writer)
      .filter {
        $0.kind == .alarm && $0.source == alarm.id.text && $0.state == .open && $0.due > now
      }
    for var alert in early {
      alert.state = .cancelled
      alert.version += 1
      alert.changed = now
      try AlertRows.update(alert, in: writer)
      try ReminderWake.subject(alert.subject, patient: alarm.patient, at: now, in: writer)
    }
    var moved = Alarm(
      patient: alarm.patient, id: alarm.id, draft: alarm.draft,
      era: alarm.era + (early.isEmpty ? 0 : 1),
      next: alarm.draft.times.next(after: now, in: zone)?.instant, version: alarm.version)
    // An alarm that someone answered is finished, even if it rang early.
    while let next = moved.next, next < alarm.next ?? .distantFuture,
      try AlertRows.one(
        moved.alert(at: next, in: zone), patient: alarm.patient, in: writer) != nil
    {
      moved = Alarm(
        patient: alarm.patient, id: alarm.id, draft: alarm.draft, era: moved.era,
        next: alarm.draft.times.next(after: next, in: zone)?.instant, version: alarm.version)
    }
    guard moved != alarm else { return }
    try AlarmStore.update(moved, at: now, in: writer)
  }
}
