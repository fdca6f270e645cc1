// SPDX-License-Identifier: Apache-2.0

import Storage

/// A kind that is told without haste, by whatever the person has, and never in the quiet hours.
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

  /// Leads to the page that rings, which opens the person whom it is about and then the page of the kind.
  func path(_ content: ReminderContent) -> String { content.ringPath }
}
