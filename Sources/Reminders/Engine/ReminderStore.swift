// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The table `reminders`: reads and writes whole rows here, and changes many at once in the file next
/// to this one.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change the table.
package enum ReminderStore {
  /// Returns the reminders to process now, the longest waiting first, without those that another node is
  /// processing.
  static func due(_ now: Timestamp, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [ReminderRow]
  {
    try reader.query(dueStatement, [SQLValue(now), SQLValue(limit)]).decode()
  }

  private static let dueStatement = SQLStatement(
    """
    SELECT \(ReminderRow.columns) FROM reminders
    WHERE state = 'ringing' AND next_at <= $1 ORDER BY next_at LIMIT $2
      /*postgresql FOR UPDATE SKIP LOCKED */
    """)

  /// Returns a reminder by its identifier; nil if there is none.
  package static func one(_ subject: ReminderID, in reader: any SQLReader) throws(StorageError)
    -> ReminderRow?
  {
    try reader.first(oneStatement, [.text(subject)])?.decode()
  }

  private static let oneStatement = SQLStatement(
    "SELECT \(ReminderRow.columns) FROM reminders WHERE subject = $1")

  /// Returns the reminders of some patients that have not ended.
  static func ringing(patients: [PatientID], in reader: any SQLReader) throws(StorageError)
    -> [ReminderRow]
  {
    try reader.query(
      """
      SELECT \(ReminderRow.columns) FROM reminders
      WHERE state = 'ringing' AND patient IN (
      """, [], in: patients.map { .text($0) }
    ).decode()
  }

  /// Inserts a new reminder.
  package static func insert(_ row: ReminderRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    "INSERT INTO reminders (\(ReminderRow.columns)) VALUES (\(ReminderRow.placeholders))")

  /// Writes all columns of a reminder that can change.
  package static func update(_ row: ReminderRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE reminders SET generation = $1, started = $2, step = $3, next_at = $4, due = $5,
        ends = $6, fresh_until = $7, handed_over = $8, state = $9, outcome = $10, closed = $11,
        escalation = $12
      WHERE patient = $13 AND subject = $14
      """,
      [
        .integer(row.generation), SQLValue(row.started), SQLValue(row.step),
        SQLValue(row.nextAt), SQLValue(row.due), SQLValue(row.ends), SQLValue(row.freshUntil),
        SQLValue(row.handedOver), .text(row.state.rawValue), SQLValue(row.outcome?.rawValue),
        SQLValue(row.closed), SQLValue(row.escalation?.text), .text(row.patient),
        .text(row.subject),
      ])
  }

  /// Deletes a reminder that was never delivered.
  static func delete(_ subject: ReminderID, patient: PatientID, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      "DELETE FROM reminders WHERE patient = $1 AND subject = $2",
      [.text(patient), .text(subject)])
  }
}
