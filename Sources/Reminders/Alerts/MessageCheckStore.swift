// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The table `message_checks`, with the time at which each person is checked next for messages to
/// caregivers.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
package enum MessageCheckStore {
  /// Starts checking a person, the first time now.
  package static func begin(_ patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      INSERT INTO message_checks (patient, next_look) VALUES ($1, $2)
      ON CONFLICT (patient) DO UPDATE SET next_look = excluded.next_look
      """, [.text(patient), SQLValue(now)])
  }

  /// Moves a person's next check forward to now; does nothing if no one receives messages about
  /// them.
  package static func wake(_ patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      "UPDATE message_checks SET next_look = $1 WHERE patient = $2 AND next_look > $1",
      [SQLValue(now), .text(patient)])
  }

  /// Moves the next check forward to now for every person whose messages an account receives.
  package static func wakeAll(of recipient: AccountID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE message_checks SET next_look = $1 WHERE next_look > $1 AND patient IN (
        SELECT patient FROM message_recipients WHERE account = $2)
      """, [SQLValue(now), .text(recipient)])
  }

  /// Moves a person's next check to a later time; an earlier time changes nothing.
  package static func postpone(
    _ patient: PatientID, until later: Timestamp, in writer: any SQLWriter
  )
    throws(StorageError)
  {
    try writer.execute(
      "UPDATE message_checks SET next_look = $1 WHERE patient = $2 AND next_look < $1",
      [SQLValue(later), .text(patient)])
  }

  /// Sets the time of a person's next check.
  package static func setNext(_ next: Timestamp, of patient: PatientID, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      "UPDATE message_checks SET next_look = $1 WHERE patient = $2",
      [SQLValue(next), .text(patient)])
  }

  /// Stops checking a person.
  package static func end(_ patient: PatientID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM message_checks WHERE patient = $1", [.text(patient)])
  }
}
