// SPDX-License-Identifier: Apache-2.0

import Plans
import Storage

/// A kind that is told at once to every device and mailbox of whoever acts for the patient, on channels that they
/// silenced too.
protocol NoticeReminder: ReminderHandler {}

extension NoticeReminder {
  func addresses(
    _ firing: ReminderStep.Firing, of step: ReminderStep, told: [ReminderRecipient],
    mailIsPossible: Bool, now: Timestamp
  ) -> [EscalationAddress] {
    // Who looked is for the person and their guardians alone.
    ReminderEscalation.noticeAddresses(
      recipients: told.filter { !$0.isFamily }, mailIsPossible: mailIsPossible)
  }

  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict {
    delivery.sending(if: delivery.hasAddress && delivery.isRecipient, at: now)
  }
}
