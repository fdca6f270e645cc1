// SPDX-License-Identifier: Apache-2.0

import Plans
import Storage

/// A kind that is sent at once to every device and mailbox of those who act for the patient, including
/// silenced channels.
protocol NoticeReminder: ReminderHandler {}

extension NoticeReminder {
  func addresses(
    _ firing: ReminderStep.Firing, of step: ReminderStep, told: [ReminderRecipient],
    mailIsPossible: Bool, now: Timestamp
  ) -> [EscalationAddress] {
    // Only the person and their guardians learn who opened the data.
    ReminderEscalation.noticeAddresses(
      recipients: told.filter { !$0.isFamily }, mailIsPossible: mailIsPossible)
  }

  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict {
    delivery.sending(if: delivery.hasAddress && delivery.isRecipient, at: now)
  }
}
