// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Storage

/// A message about a person to someone else; consent is checked at each claim.
struct NewsReminder: ReminderHandler {
  var hasButtons: Bool { false }

  func recipients(of row: ReminderRow, _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [ReminderRecipient]?
  {
    try context.sources.news.recipients(of: row, at: context.now, in: reader)
  }

  func ask(_ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [DeliveryID: AskedDelivery]
  {
    try context.sources.news.ask(waiting, context, in: reader)
  }

  /// Returns the decision; nothing is sent without consent.
  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict { .end(.stale) }

  func page(of subject: ReminderID) -> String? { "/caregiver-messages" }

  /// Returns the label of the person whom the message is about.
  func label(_ content: ReminderContent) -> String? {
    guard let news = content.news else { return content.label }
    return news.label
  }

  func title(_ words: ReminderText) -> String {
    words.localizer.text("caregiver-messages.push.title")
  }

  func body(_ words: ReminderText) -> String {
    words.content.news?.sentence ?? words.localizer.text("caregiver-messages.push.body")
  }

  func why(_ words: ReminderText) -> String { words.localizer.text("caregiver-messages.push.why") }
}
