// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// Alarms after the clock was set back: what was passed over by the wrong clock rings at its time.
enum AlarmClock {
  /// A smaller step passes over nothing: the engine looked at each of these minutes.
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
    // What rang early, or was kept as missed, and no one has answered: it rings at its time, under a name of
    // its own.
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
    // What someone has seen to is over, though it rang early.
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
