// SPDX-License-Identifier: Apache-2.0

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
    var known: [String: Zone] = [:]
    for alarm in try AlarmRows.on(in: writer) {
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
    var moment = alarm.draft.times.next(after: now, in: zone)?.instant
    while let next = moment, next < alarm.next ?? .distantFuture {
      let id = alarm.occasion(at: next, in: zone)
      guard var early = try OccasionRows.one(id, patient: alarm.patient, in: writer) else {
        return try keep(alarm, next: next, era: alarm.era, now, in: writer)
      }
      if early.state.isAnswered {
        // It rang early, and somebody has seen to it: the one after it may still have been passed over.
        moment = alarm.draft.times.next(after: next, in: zone)?.instant
        continue
      }
      // It rang early, or was kept as not rung: it rings at its time, under a name of its own.
      if early.state == .open {
        early.state = .cancelled
        early.version += 1
        early.changed = now
        try OccasionRows.update(early, in: writer)
        try ReminderWake.subject(early.subject, patient: alarm.patient, at: now, in: writer)
      }
      return try keep(alarm, next: next, era: alarm.era + 1, now, in: writer)
    }
  }

  private static func keep(
    _ alarm: Alarm, next: Timestamp, era: Int64, _ now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try AlarmRows.update(
      Alarm(
        patient: alarm.patient, id: alarm.id, draft: alarm.draft, era: era, next: next,
        version: alarm.version), at: now, in: writer)
  }
}
