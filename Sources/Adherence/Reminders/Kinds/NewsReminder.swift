// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Storage

/// A message about a person to someone else; consent is checked at each claim.
struct NewsReminder: ReminderHandler {
  var hasButtons: Bool { false }

  func recipients(of row: ReminderRow, at now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> [ReminderRecipient]?
  {
    try SentReminders.recipients(of: row, in: reader)
  }

  func ask(_ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [DeliveryID: AskedDelivery]
  {
    try SentReminders.asked(waiting, context, in: reader) { $0.hasAddress && !$0.isSilenced }
  }

  /// Without consent nothing is sent.
  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict { .end(.stale) }

  func page(of subject: String) -> String? { "/notices" }

  /// The label of the person whom the message is about.
  func label(_ content: ReminderContent) -> String? {
    guard let news = content.news else { return content.label }
    return news.label
  }

  func title(_ words: ReminderWords) -> String { words.localizer.text("notices.push.title") }

  func body(_ words: ReminderWords) -> String {
    words.content.news?.sentence ?? words.localizer.text("notices.push.body")
  }

  func why(_ words: ReminderWords) -> String { words.localizer.text("notices.push.why") }
}

extension SentReminders {
  /// Decides about deliveries by what both sides chose.
  ///
  /// - Parameter isMeant: returns true if a delivery may leave where both sides still want it.
  static func asked(
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
