// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// A reminder with the current state of its doses.
package struct Reminder: Sendable, Hashable {
  /// The identifier of the reminder.
  package let subject: ReminderID
  /// The patient whom it is about.
  package let patient: PatientID
  /// The kind of the reminder.
  package let kind: ReminderKind
  /// The state of the reminder.
  package let state: ReminderState
  /// The outcome; nil while it rings.
  package let outcome: ReminderOutcome?
  /// The number of the generation, from 1, which grows when it rings again.
  package let generation: Int64
  /// The earliest due time of its doses.
  package let due: Timestamp
  /// All doses of the reminder, by due time, then by id.
  package let doses: [Dose]
  /// The alert for which it rings; nil for a reminder of doses.
  package let alert: Alert?
  /// True if a step of the current generation has been sent.
  package let hasRung: Bool

  /// The tag of its notifications.
  package var tag: String { ReminderContent.tag(of: subject) }
}

/// Queries for reminders; the caller has decided that access is allowed.
package enum ReminderQueries {
  /// Returns the reminder with an identifier; the caller checks its patient.
  package static func reminder(_ subject: ReminderID, now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> Reminder?
  {
    guard let row = try ReminderStore.one(subject, in: reader) else { return nil }
    return try reminders([row], now: now, in: reader).first
  }

  /// Returns the reminders that ring for some patients now, by due time: a step was sent and a dose
  /// is due.
  package static func ringing(patients: [PatientID], now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> [Reminder]
  {
    let rows = try ReminderStore.ringing(patients: patients, in: reader)
      .filter { $0.kind == .doses && $0.step > 0 && $0.outcome == nil }
    return try reminders(rows, now: now, in: reader)
      .filter { reminder in reminder.doses.contains { $0.state == .due } }
      .sorted { ($0.due, $0.subject) < ($1.due, $1.subject) }
  }

  /// Returns the doses of some patients that were due since an instant and whose reminder did not ring in
  /// time, because of a server fault or a missing address, the latest first.
  package static func missed(
    patients: [PatientID], since: Timestamp, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Dose] {
    var found: [Dose] = []
    for patient in patients {
      let subjects: [ReminderID] = try reader.query(
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
          hasRung: row.step > 0))
    }
    return found
  }
}
