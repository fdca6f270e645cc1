// SPDX-License-Identifier: Apache-2.0

import Storage

/// A kind that is not urgent: it is sent to any available channel, and never in quiet hours.
protocol CalmReminder: ReminderHandler {}

extension CalmReminder {
  var isUrgent: Bool { false }

  func mayBeHeld(step: Int) -> Bool { true }

  func addresses(
    _ firing: ReminderStep.Firing, of step: ReminderStep, told: [ReminderRecipient],
    mailIsPossible: Bool, now: Timestamp
  ) -> [EscalationAddress] {
    ReminderEscalation.calmAddresses(
      recipients: told.filter { !$0.isFamily }, mailIsPossible: mailIsPossible, now: now)
  }

  func addresses(insteadOf failed: FailedAddress) -> [EscalationAddress] { failed.quiet }

  /// Returns the path of the ringing page, which selects the person and then opens the page of the kind.
  func path(_ content: ReminderContent) -> String { content.ringPath }
}
