// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Storage

/// Unread messages of a conversation, sent to one account.
struct MessageReminder: ReminderHandler {
  func recipients(of row: ReminderRow, _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [ReminderRecipient]?
  {
    try context.sources.chat.recipients(of: row, at: context.now, in: reader)
  }

  /// Returns every device, or silent channels and mail if none works.
  ///
  /// Messages cause no calls or text messages.
  func addresses(
    _ firing: ReminderStep.Firing, of step: ReminderStep, told: [ReminderRecipient],
    mailIsPossible: Bool, now: Timestamp
  ) -> [EscalationAddress] {
    told.flatMap { recipient in
      ReminderEscalation.quietAddresses(recipients: [recipient], now: now)
        + (mailIsPossible && !recipient.isMailboxSilent
          && !recipient.devices.contains { !$0.isBroken(at: now) }
          ? [
            EscalationAddress(
              recipient: recipient.account, channel: .mail, address: EscalationAddress.mailbox)
          ] : [])
    }
  }

  func addresses(insteadOf failed: FailedAddress) -> [EscalationAddress] {
    failed.quiet + (failed.working.isEmpty ? failed.mail : [])
  }

  func ask(_ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [DeliveryID: AskedDelivery]
  {
    try context.sources.chat.ask(waiting, context, in: reader)
  }

  /// Returns the decision; nothing is sent for messages that were read or are no longer shared.
  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict { .end(.stale) }

  /// Returns false if the recipient does not act for the patient.
  func isLabelled(_ delivery: WaitingDelivery) -> Bool {
    delivery.patientCount > 1 && delivery.isActing
  }

  func page(of subject: ReminderID) -> String? { "/chat" }
  func path(_ content: ReminderContent) -> String { "/chat?notice=\(content.subject)" }
  func title(_ words: ReminderText) -> String { words.localizer.text("chat.notice.title") }
  func body(_ words: ReminderText) -> String { words.localizer.text("chat.notice.body") }
  func why(_ words: ReminderText) -> String { words.localizer.text("chat.notice.why") }
}
