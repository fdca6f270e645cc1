// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Changes to many reminders: their next time, first hand-over, and end.
extension ReminderStore {
  /// Wakes a reminder, even a closed one.
  ///
  /// - Parameter summaryAt: the time for a summary.
  static func wake(
    _ subject: ReminderID, patient: PatientID, at now: Timestamp, summaryAt: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE reminders SET state = 'ringing',
        next_at = CASE
          WHEN state = 'ringing' AND next_at < $1 THEN next_at
          WHEN kind <> 'summary' THEN $1
          WHEN state = 'ringing' AND next_at < $2 THEN next_at
          ELSE $2 END
      WHERE patient = $3 AND subject = $4
      """, [SQLValue(now), SQLValue(summaryAt), .text(patient), .text(subject)])
  }

  /// Wakes a patient's reminders that have begun and follow the escalation policy.
  static func wakeEscalations(of patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE reminders SET next_at = $1
      WHERE patient = $2 AND state = 'ringing' AND step > 0 AND next_at > $1 AND kind IN (
      """, [SQLValue(now), .text(patient)],
      in: ReminderKind.allCases.filter { $0.handler.climbs }.map { .text($0.rawValue) })
  }

  /// Returns the reminders of a patient's doses that begin to ring after an instant.
  static func held(after instant: Timestamp, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [ReminderID]
  {
    try reader.query(
      """
      SELECT subject FROM reminders
      WHERE patient = $1 AND state = 'ringing' AND kind = 'doses' AND step = 0 AND started > $2
      """, [.text(patient), SQLValue(instant)]
    ).values()
  }

  /// Records the first hand-over of a generation.
  static func handedOver(
    _ subjects: Set<ReminderID>, generation: Int64, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE reminders SET handed_over = $1
      WHERE handed_over IS NULL AND generation = $2 AND subject IN (
      """, [SQLValue(now), .integer(generation)], in: subjects.map { .text($0) })
  }

  /// Corrects the steps of reminders that began in what is now the future, after the clock was set back.
  static func clockStepped(
    back milliseconds: Int64, now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE reminders SET started = started - $1, next_at = next_at - $1,
        fresh_until = fresh_until - $1
      WHERE state = 'ringing' AND next_at > $2 AND started > $2 AND step > 0 AND next_at < ends
      """, [.integer(milliseconds), SQLValue(now)])
  }

  /// Deletes closed reminders without deliveries that were opened before an instant.
  ///
  /// - Returns: the number of reminders.
  static func forget(
    before instant: Timestamp, limit: Int, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try writer.execute(
      """
      DELETE FROM reminders WHERE (patient, subject) IN (
        SELECT r.patient, r.subject FROM reminders r
        WHERE r.opened < $1 AND r.state = 'closed' AND NOT EXISTS (
          SELECT 1 FROM deliveries d WHERE d.patient = r.patient AND d.subject = r.subject)
        ORDER BY r.opened LIMIT $2)
      """, [SQLValue(instant), SQLValue(limit)])
  }
}
