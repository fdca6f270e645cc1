// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// What a person chose for the reminders of all their medicines.
package struct ReminderChoices: Sendable, Hashable {
  /// Before which minute of the day reminders hold back, at weekends and in a holiday.
  package struct Holiday: Sendable, Hashable {
    package let minute: Int
    package let starts: CivilDate
    package let ends: CivilDate

    /// Nil where it ends before it begins, or for a minute that no day has.
    package init?(minute: Int, starts: CivilDate, ends: CivilDate) {
      guard (0..<1_440).contains(minute), starts <= ends else { return nil }
      self.minute = minute
      self.starts = starts
      self.ends = ends
    }
  }

  /// A name of ``AlarmSound``, or the id of a sound of one's own.
  package var sound = AlarmSound.standard.rawValue
  package var weekendMinute: Int?
  package var holiday: Holiday?

  package init() {}

  package static func of(_ patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> ReminderChoices
  {
    try of([patient], in: reader)[patient] ?? ReminderChoices()
  }

  /// By patient; those without choices of their own are left out.
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

  // MARK: Holding back

  /// When a reminder due at an instant rings: at weekends and in a holiday not before the minute chosen, and
  /// always half an hour before its window closes.
  ///
  /// The dose stays due when it is.
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
