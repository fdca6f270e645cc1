// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The choices of a person for the reminders of all their medicines.
package struct ReminderChoices: Sendable, Hashable {
  /// A holiday in which reminders wait until a minute of the day.
  package struct Holiday: Sendable, Hashable {
    /// The minute of the day before which reminders wait, from 0 to 1439.
    package let minute: Int
    /// The first day of the holiday.
    package let starts: CivilDate
    /// The last day of the holiday.
    package let ends: CivilDate

    /// Creates a holiday; nil if it ends before it starts, or the minute is not from 0 to 1439.
    package init?(minute: Int, starts: CivilDate, ends: CivilDate) {
      guard (0..<1_440).contains(minute), starts <= ends else { return nil }
      self.minute = minute
      self.starts = starts
      self.ends = ends
    }
  }

  /// The sound: a raw value of ``AlarmSound``, or the id of one of the person's own sounds.
  package var sound = AlarmSound.standard.rawValue
  /// The minute of the day before which reminders wait on Saturdays and Sundays; nil for no
  /// waiting.
  package var weekendMinute: Int?
  /// The holiday; nil for none.
  package var holiday: Holiday?

  /// Creates the standard choices: the standard sound, and no waiting.
  package init() {}

  /// Returns the choices of a patient; the standard ones if none were made.
  package static func of(_ patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> ReminderChoices
  {
    try of([patient], in: reader)[patient] ?? ReminderChoices()
  }

  /// Returns the choices by patient; patients without choices of their own are left out.
  static func of(_ patients: [PatientID], in reader: any SQLReader) throws(StorageError)
    -> [PatientID: ReminderChoices]
  {
    guard !patients.isEmpty else { return [:] }
    var found: [PatientID: ReminderChoices] = [:]
    for row in try ReminderChoiceStore.rows(of: patients, in: reader) {
      found[row.patient] = row.choices
    }
    return found
  }

  /// Saves the choices and applies them to doses whose reminder is delayed.
  package func keep(
    of patient: PatientID, by account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try ReminderChoiceStore.set(ReminderChoicesRow(self, patient: patient), in: writer)
    try ReminderWake.held(of: patient, at: now, in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: patient, resource: "ReminderSettings",
        resourceID: nil, version: nil, purpose: "care", outcome: .success))
  }

  // MARK: Delays

  /// Returns the time at which the reminder of a dose rings: on weekends and holidays not before
  /// the chosen minute, but at least half an hour before the window closes.
  ///
  /// The due time of the dose stays the same.
  package func rings(due: Timestamp, lateUntil: Timestamp, in zone: Zone) -> Timestamp {
    let local = zone.local(at: Instant(due))
    var minute: Int?
    if let holiday, (holiday.starts...holiday.ends).contains(local.date) {
      minute = holiday.minute
    }
    if local.date.weekday == .saturday || local.date.weekday == .sunday, let weekendMinute {
      minute = max(minute ?? 0, weekendMinute)
    }
    guard let minute, let time = ClockTime(secondsOfDay: minute * 60),
      let found = zone.instant(of: local.date, at: time)
    else { return due }
    let latest = lateUntil.adding(milliseconds: -Self.room)
    return max(due, min(Timestamp(found.instant), latest))
  }

  private static let room: Int64 = 30 * 60_000
}
