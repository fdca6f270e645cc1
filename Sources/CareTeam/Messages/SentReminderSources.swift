// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Reminders
import Storage

/// The reminders that tell others about a person.
package struct NewsSource: AddressedSource {
  package init() {}

  package func recipients(
    of reminder: ReminderRow, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [ReminderRecipient] {
    try SentReminders.recipients(of: reminder, in: reader)
  }

  package func ask(
    _ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader
  ) throws(StorageError) -> [DeliveryID: AskedDelivery] {
    try SentReminders.asked(waiting, context, in: reader) { $0.hasAddress && !$0.isSilenced }
  }
}

/// The reminders by which others nudge a person about an open dose.
package struct NudgeSource: ConsentSource {
  package init() {}

  package func ask(
    _ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader
  ) throws(StorageError) -> [DeliveryID: AskedDelivery] {
    try SentReminders.asked(waiting, context, in: reader, where: \.isTold)
  }
}

extension SentReminders {
  /// Decides about deliveries by what both sides chose.
  ///
  /// - Parameter isMeant: returns true if a delivery may leave where both sides still want it.
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
