// SPDX-License-Identifier: Apache-2.0
import Storage

/// Deletes the history of old reminders: what rang, on which channel, and when it was shown.
///
/// Answers and the outcomes of doses are kept.
package enum ReminderRetention {
  /// Deletes closed reminders that were opened before an instant, with their deliveries.
  ///
  /// Returns the number, at most `limit` of each; call again while it is reached.
  package static func forget(
    before instant: Timestamp, limit: Int, in writer: any SQLWriter
  ) throws(StorageError) -> (reminders: Int, deliveries: Int) {
    try ActionLinks.forget(before: instant, limit: limit, in: writer)
    try Replies.forget(before: instant, limit: limit, in: writer)
    try Chats.forget(before: instant, in: writer)
    let deliveries = try DeliveryStore.forget(before: instant, limit: limit, in: writer)
    let reminders = try ReminderStore.forget(before: instant, limit: limit, in: writer)
    return (reminders, deliveries)
  }
}
