// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// Links between doses and the reminders that ring for them, stored in the dose's row.
extension DoseStore {
  /// Puts a dose into a subject, with its current time to ring.
  package static func put(_ dose: RingingDose, into subject: ReminderID, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE doses SET reminder = $1, rings_at = $2
      WHERE patient = $3 AND plan = $4 AND era = $5 AND occurrence = $6
      """, [.text(subject), SQLValue(dose.ring)] + dose.key.arguments)
  }

  /// Removes a dose from the group of its subject, which it still wakes.
  package static func leave(_ dose: RingingDose, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE doses SET rings_at = NULL
      WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
      """, dose.key.arguments)
  }

  /// Removes a dose from its subject, so that another takes it up.
  ///
  /// - Parameter ringsAt: the time from which it counts as open again, after an answer was undone;
  ///   nil for its own time.
  package static func release(
    _ dose: DoseKey, ringsAt: Timestamp? = nil, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE doses SET reminder = NULL, rings_at = $1
      WHERE patient = $2 AND plan = $3 AND era = $4 AND occurrence = $5
      """, [SQLValue(ringsAt)] + dose.arguments)
  }

  /// Releases the open doses of a subject that are due by now, except those that were put off.
  ///
  /// - Returns: the number of doses.
  package static func releaseHeld(
    by subject: ReminderID, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try writer.execute(
      """
      UPDATE doses SET reminder = NULL, rings_at = due
      WHERE patient = $1 AND reminder = $2 AND state = 'open' AND later_until IS NULL
        AND due <= $3
      """, [.text(patient), .text(subject), SQLValue(now)])
  }

  /// Marks a dose as one that will never ring.
  package static func neverRing(_ dose: RingingDose, in writer: any SQLWriter) throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE doses SET reminder = $1, rings_at = NULL
      WHERE patient = $2 AND plan = $3 AND era = $4 AND occurrence = $5
      """, [.text(RingingDoses.never)] + dose.key.arguments)
  }
}
