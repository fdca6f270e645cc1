// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// A reminder with its doses as they stand.
package struct Reminder: Sendable, Hashable {
  package let subject: String
  package let patient: PatientID
  package let kind: ReminderKind
  package let state: ReminderState
  package let outcome: ReminderOutcome?
  package let generation: Int64
  package let due: Timestamp
  /// All doses that the subject holds, by due time, then by id.
  package let doses: [Dose]
  /// What it rings for where that is no dose.
  package let alert: Alert?
  /// Whether a rung of the present generation has been fired.
  package let hasRung: Bool

  /// The tag of its notifications.
  package var tag: String { ReminderContent.tag(of: subject) }
}

/// Questions about reminders; the caller has decided that they may be asked.
package enum ReminderQueries {
  /// The reminder of a subject; the caller checks its patient.
  package static func reminder(_ subject: String, now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> Reminder?
  {
    guard let row = try ReminderStore.one(subject, in: reader) else { return nil }
    return try reminders([row], now: now, in: reader).first
  }

  /// What rings for some patients now: groups of which a rung was fired and a dose is open, by due
  /// time.
  package static func ringing(patients: [PatientID], now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> [Reminder]
  {
    let rows = try ReminderStore.ringing(patients: patients, in: reader)
      .filter { $0.kind == .doses && $0.rung > 0 && $0.outcome == nil }
    return try reminders(rows, now: now, in: reader)
      .filter { reminder in reminder.doses.contains { $0.state == .due } }
      .sorted { ($0.due, $0.subject) < ($1.due, $1.subject) }
  }

  /// The doses of some patients that were not rung in time by this program's own fault, or for want
  /// of an address, due since an instant, the latest first.
  package static func missed(
    patients: [PatientID], since: Timestamp, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Dose] {
    var found: [Dose] = []
    for patient in patients {
      let subjects: [String] = try reader.query(
        """
        SELECT DISTINCT d.reminder FROM doses d
        JOIN reminders r ON r.subject = d.reminder
        WHERE d.patient = $1 AND d.due >= $2 AND d.due <= $3 AND r.kind = 'summary'
        """, [.text(patient), SQLValue(since), SQLValue(now)]
      ).values()
      for subject in subjects {
        found += try DoseStore.of(subject: subject, patient: patient, now: now, in: reader)
          .filter { $0.due >= since }
      }
    }
    return found.sorted { ($0.due, $0.id.text) > ($1.due, $1.id.text) }
  }

  private static func reminders(
    _ rows: [ReminderRow], now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Reminder] {
    var found: [Reminder] = []
    for row in rows {
      let doses = try DoseStore.of(
        subject: row.subject, patient: row.patient, now: now, in: reader
      ).sorted { ($0.due, $0.id.text) < ($1.due, $1.id.text) }
      found.append(
        Reminder(
          subject: row.subject, patient: row.patient, kind: row.kind, state: row.state,
          outcome: row.outcome, generation: row.generation, due: row.due, doses: doses,
          alert: row.kind.isAlert
            ? try AlertRows.of(subject: row.subject, patient: row.patient, in: reader) : nil,
          hasRung: row.rung > 0))
    }
    return found
  }
}
