// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import Identifiers
import Plans
import Reminders
import Scheduling
import Storage
import TimeZones

/// Notices on the evening before a clock change about the doses that it moves.
///
/// Sent once for each change, between 18:00 and 21:00, not in quiet hours, and only if the person
/// wants them. The notice is recorded in `clock_notices`, in the transaction that opens the
/// reminder, so that neither a restart nor a second node repeats it.
package enum ClockNotices {
  /// The minutes of the person's day between which notices are sent.
  static let hours = 18 * 60..<21 * 60
  /// The time until a person without moved doses is checked again, in milliseconds.
  static let pause: Int64 = 15 * 60_000

  /// A person to be checked for doses that a clock change moves.
  package struct Due: Sendable, Hashable {
    /// The person to check.
    package let patient: PatientID
    let zone: String
    let change: Timestamp
  }

  /// Returns the people for whom it is the evening before a change of their own clock, or of one
  /// that a plan of theirs follows.
  ///
  /// A person without moved doses is checked again after 15 minutes, since there may be a new
  /// medicine or travel by then.
  package static func due(
    _ now: Timestamp, limit: Int, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(StorageError) -> [Due] {
    var due: [Due] = []
    var known: Set<PatientID> = []
    let clocks = try Self.clocks(zones: zones, in: reader)
    for name in try reader.query("SELECT DISTINCT zone FROM people ORDER BY zone")
      .values(as: String.self)
    {
      guard let zone = try? zones.zone(name), let end = Self.end(of: now, in: zone) else {
        continue
      }
      for (clock, change) in Self.changes(of: clocks + [zone], after: now, until: end) {
        guard due.count < limit else { return due }
        let people = try Self.people(
          in: name, by: clock, now: now, until: end, limit: limit - due.count, in: reader)
        for person in people where known.insert(person).inserted {
          due.append(Due(patient: person, zone: name, change: change))
        }
      }
    }
    return due
  }

  /// Returns the clocks of all places that plans follow or followed.
  private static func clocks(
    zones: ZoneCatalog, in reader: any SQLReader
  ) throws(StorageError) -> [Zone] {
    try reader.query("SELECT DISTINCT zone FROM plan_eras ORDER BY zone").values(as: String.self)
      .compactMap { try? zones.zone($0) }
  }

  /// Returns the next change of each clock that changes until an instant, the earliest first.
  private static func changes(
    of clocks: [Zone], after now: Timestamp, until end: Timestamp
  ) -> [(clock: String, change: Timestamp)] {
    var found: [String: Timestamp] = [:]
    for clock in clocks {
      let first = clock.changes(after: Instant(now), until: Instant(end)).first
      if let first { found[clock.identifier] = Timestamp(first.instant) }
    }
    return found.map { (clock: $0.key, change: $0.value) }
      .sorted { ($0.change, $0.clock) < ($1.change, $1.clock) }
  }

  /// Returns the people of a zone who use a clock or have a plan that follows it, and who are due for a
  /// check.
  private static func people(
    in zone: String, by clock: String, now: Timestamp, until end: Timestamp, limit: Int,
    in reader: any SQLReader
  ) throws(StorageError) -> [PatientID] {
    try reader.query(
      """
      SELECT u.patient FROM people u
      LEFT JOIN escalation_settings y ON y.patient = u.patient
      WHERE u.zone = $1 AND COALESCE(y.tells_clock, 1) = 1
        AND EXISTS (SELECT 1 FROM plans p
          JOIN plan_eras e ON e.patient = p.patient AND e.plan = p.plan AND e.era = p.era
          WHERE p.patient = u.patient AND p.status = 'active' AND p.unplanned_reason IS NULL
            AND (u.zone = $2 OR e.zone = $3))
        AND NOT EXISTS (SELECT 1 FROM clock_notices n WHERE n.patient = u.patient
          AND n.at > $4 AND n.at < $5 AND (n.reminder IS NOT NULL OR n.looked > $6))
      ORDER BY u.patient LIMIT $7
      """,
      [
        .text(zone), .text(clock), .text(clock), SQLValue(now), SQLValue(end),
        SQLValue(now.adding(milliseconds: -pause)), SQLValue(limit),
      ]
    ).values()
  }

  /// Returns the end of the next day if it is evening in a zone; changes until then are reported.
  ///
  /// The result is nil outside the evening.
  static func end(of now: Timestamp, in zone: Zone) -> Timestamp? {
    let local = zone.local(at: Instant(now))
    guard hours.contains(local.time.secondsOfDay / 60) else { return nil }
    return Timestamp(zone.startOfDay(local.date.adding(days: 2)))
  }

  /// Checks one person's doses and opens a reminder if any of them moves.
  ///
  /// - Returns: true if a reminder was opened; wake the reminder loop after the commit.
  package static func look(
    at due: Due, now: Timestamp, zones: ZoneCatalog, newIdentifier: () -> String,
    in writer: any SQLWriter
  ) throws(PlanError) -> Bool {
    try planning {
      let zone = try zones.zone(due.zone)
      guard let end = Self.end(of: now, in: zone) else { return false }
      // Two clocks that change on one day share one notice.
      let told = try writer.first(
        """
        SELECT 1 FROM clock_notices
        WHERE patient = $1 AND at > $2 AND at < $3 AND reminder IS NOT NULL
        """, [.text(due.patient), SQLValue(now), SQLValue(end)])
      guard told == nil else { return false }
      let moves = try DoseQueries.movedByClock(
        patient: due.patient, from: now, until: end, zones: zones, in: writer)
      let quiet = try EscalationReading.quietHours([due.patient], zones: zones, in: writer)
      let moment = moves.isEmpty ? nil : Self.moment(now, zone: zone, quiet: quiet[due.patient])
      let subject = ReminderID(newIdentifier())
      let isOurs = try keep(due, now: now, reminder: moment == nil ? nil : subject, in: writer)
      guard isOurs, let moment else { return false }
      try ReminderStore.insert(
        ReminderRow(
          patient: due.patient, subject: subject, kind: .clock, starts: moment.starts,
          due: due.change, ends: moment.ends, opened: now), in: writer)
      return true
    }
  }

  /// Delays the check of a person whose doses cannot be read, so that others have their turn.
  package static func putOff(
    _ due: Due, now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    _ = try keep(due, now: now, reminder: nil, in: writer)
  }

  /// Records a check; returns false if the notice was already sent.
  private static func keep(
    _ due: Due, now: Timestamp, reminder: ReminderID?, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      INSERT INTO clock_notices (patient, at, looked, reminder) VALUES ($1, $2, $3, $4)
      ON CONFLICT (patient, at) DO UPDATE SET looked = excluded.looked, reminder = excluded.reminder
        WHERE clock_notices.reminder IS NULL
      """, [.text(due.patient), SQLValue(due.change), SQLValue(now), SQLValue(reminder)]) > 0
  }

  /// Returns the interval of this evening in which a notice may be sent; nil if quiet hours leave none.
  static func moment(
    _ now: Timestamp, zone: Zone, quiet: EscalationTiming?
  ) -> (starts: Timestamp, ends: Timestamp)? {
    guard let time = ClockTime(secondsOfDay: hours.upperBound * 60),
      let end = zone.instant(of: zone.local(at: Instant(now)).date, at: time)
    else { return nil }
    let starts = quiet?.held(at: now) ?? now
    let ends = Timestamp(end.instant)
    return starts < ends ? (starts, ends) : nil
  }

  // MARK: The person's choice

  /// Stores whether a person is notified; the caller has decided that the account may act for them.
  package static func choose(
    _ tells: Bool, of patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try EscalationStore.set(tellsClock: tells, of: patient, in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: patient, resource: "ReminderSettings",
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }
}
