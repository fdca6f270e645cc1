// SPDX-License-Identifier: Apache-2.0
import Storage

/// Forgets the stories of old reminders: what rang, on which way it went, when it was shown.
///
/// What a person answered, and what became of each dose, stays.
package enum ReminderRetention {
  /// Deletes closed reminders that were opened before an instant, with their deliveries; returns how
  /// many, at most the limit of each: call again while it is reached.
  package static func forget(
    before instant: Timestamp, limit: Int, in writer: any SQLWriter
  ) throws(StorageError) -> (reminders: Int, deliveries: Int) {
    try ActionLinks.forget(before: instant, limit: limit, in: writer)
    let deliveries = try writer.execute(
      """
      DELETE FROM deliveries WHERE (patient, delivery) IN (
        SELECT patient, delivery FROM deliveries WHERE planned < $1 AND state = 'done'
        ORDER BY planned LIMIT $2)
      """, [SQLValue(instant), SQLValue(limit)])
    let reminders = try writer.execute(
      """
      DELETE FROM reminders WHERE (patient, subject) IN (
        SELECT r.patient, r.subject FROM reminders r
        WHERE r.opened < $1 AND r.state = 'closed' AND NOT EXISTS (
          SELECT 1 FROM deliveries d WHERE d.patient = r.patient AND d.subject = r.subject)
        ORDER BY r.opened LIMIT $2)
      """, [SQLValue(instant), SQLValue(limit)])
    return (reminders, deliveries)
  }
}
