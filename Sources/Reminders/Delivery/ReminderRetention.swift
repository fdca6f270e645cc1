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
    let deliveries = try DeliveryStore.forget(before: instant, limit: limit, in: writer)
    let reminders = try ReminderStore.forget(before: instant, limit: limit, in: writer)
    return (reminders, deliveries)
  }
}
