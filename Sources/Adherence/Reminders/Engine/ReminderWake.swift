// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// Tells the reminders that something changed; the engine's next step sees to the rest, from the
/// database alone.
enum ReminderWake {
  /// How long a summary lets answers to what it told gather, in milliseconds: it may hold the doses of months, and
  /// looks at all of them each time.
  static let gathering: Int64 = 2_000

  /// Wakes a subject; one that is closed rings again if a dose of it is open.
  ///
  /// - Parameter mayWait: whether a summary may look a little later, since nothing of it can ring any more.
  static func subject(
    _ subject: String, patient: PatientID, at now: Timestamp, mayWait: Bool = false,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let summaryAt = mayWait ? now.adding(milliseconds: gathering) : now
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

  /// Wakes the subjects of a plan's doses that may still ring, and gives back to it the doses that
  /// were let be while it did not run.
  static func plan(_ plan: PlanID, patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    let rows = try writer.query(
      """
      SELECT plan, reminder, era, occurrence, state, late_until FROM doses
      WHERE patient = $1 AND due > $2 AND due <= $3 AND reminder IS NOT NULL
      """,
      [
        .text(patient), SQLValue(now.adding(milliseconds: -longestWindow)),
        SQLValue(now.adding(milliseconds: longestWindow)),
      ])
    var subjects: Set<String> = []
    for row in rows where try row.id(0) == plan {
      let subject = try row.text(1)
      if subject != RingingDoses.never {
        subjects.insert(subject)
      } else if try row.text(4) == DoseState.Stored.open.rawValue, try row.timestamp(5) > now {
        let key = DoseKey(
          patient: patient, plan: plan, era: try row.integer(2), occurrence: try row.text(3))
        try DoseStore.release(key, ringsAt: now, in: writer)
      }
    }
    for subject in subjects.sorted() {
      try self.subject(subject, patient: patient, at: now, in: writer)
    }
  }

  /// Lets what rings for a patient go by their new choices: when the next rung comes, and what of the rungs
  /// after the first waits for the end of the quiet hours.
  static func ladder(of patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE reminders SET next_at = $1
      WHERE patient = $2 AND state = 'ringing' AND kind IN ('doses', 'alarm', 'warning') AND rung > 0
        AND next_at > $1
      """, [SQLValue(now), .text(patient)])
    // What waits for another try tries once more: nobody is asked twice for that.
    try writer.execute(
      """
      UPDATE deliveries SET next_try = $1
      WHERE patient = $2 AND state = 'waiting' AND rung > 0 AND lease_until IS NULL
        AND next_try > $1
      """, [SQLValue(now), .text(patient)])
  }

  /// Lets go the doses whose reminder weekends or a holiday hold back: the next step takes them up by the
  /// choices as they are then.
  static func held(of patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    let rows = try writer.query(
      """
      SELECT subject FROM reminders
      WHERE patient = $1 AND state = 'ringing' AND kind = 'doses' AND rung = 0 AND started > $2
      """, [.text(patient), SQLValue(now)])
    for row in rows {
      let subject = try row.text(0)
      // Those that somebody put off keep their time.
      let released = try DoseStore.releaseHeld(
        by: subject, patient: patient, at: now, in: writer)
      if released > 0 { try self.subject(subject, patient: patient, at: now, in: writer) }
    }
  }

  /// The longest late window, twelve hours, with room.
  private static let longestWindow: Int64 = 13 * 3_600_000
}
