// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Storage

/// A nudge about an open dose from someone else; consent is checked at each claim.
struct NudgeReminder: ReminderHandler {
  var hasButtons: Bool { false }

  func ask(_ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [DeliveryID: AskedDelivery]
  {
    try context.sources.nudges.ask(waiting, context, in: reader)
  }

  /// Returns the decision; nothing is sent without consent.
  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict { .end(.stale) }

  func page(of subject: ReminderID) -> String? { "/" }
  func title(_ words: ReminderText) -> String {
    words.localizer.text("caregiver-messages.push.nudge-title")
  }
  func body(_ words: ReminderText) -> String {
    words.localizer.text("caregiver-messages.push.nudge-body")
  }
  func why(_ words: ReminderText) -> String {
    words.localizer.text("caregiver-messages.push.nudge-why")
  }
}
