// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Reminders
import Storage

/// The source of reminders that deliver messages about a patient to others.
package struct NewsSource: AddressedSource {
  /// Creates the source.
  package init() {}

  /// Returns the accounts whose messages the reminder delivers, with their channels.
  package func recipients(
    of reminder: ReminderRow, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [ReminderRecipient] {
    try SentReminders.recipients(of: reminder, in: reader)
  }

  /// Decides which deliveries may be sent, by the rights, rules and choices of both sides at this
  /// time.
  package func ask(
    _ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader
  ) throws(StorageError) -> [DeliveryID: AskedDelivery] {
    try SentReminders.asked(waiting, context, in: reader) { $0.hasAddress && !$0.isSilenced }
  }
}

/// The source of the reminders with which others nudge a patient about an open dose.
package struct NudgeSource: ConsentSource {
  /// Creates the source.
  package init() {}

  /// Decides which nudges may be sent: the dose is still open, and both sides still agree.
  package func ask(
    _ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader
  ) throws(StorageError) -> [DeliveryID: AskedDelivery] {
    try SentReminders.asked(waiting, context, in: reader, where: \.isTold)
  }
}

extension SentReminders {
  /// Decides about deliveries by the choices of both sides.
  ///
  /// - Parameter isMeant: returns true if a delivery may be sent, given that both sides still agree.
  fileprivate static func asked(
    _ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader,
    where isMeant: (WaitingDelivery) -> Bool
  ) throws(StorageError) -> [DeliveryID: AskedDelivery] {
    let standing = try standing(waiting, context, in: reader)
    var asked: [DeliveryID: AskedDelivery] = [:]
    for delivery in waiting {
      let news = standing[delivery.delivery]
      asked[delivery.delivery] = AskedDelivery(
        verdict: delivery.sending(if: news != nil && isMeant(delivery), at: context.now),
        news: news)
    }
    return asked
  }
}
