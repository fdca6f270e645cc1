// SPDX-License-Identifier: Apache-2.0

/// The behaviour of one kind of reminder: how it is planned, claimed and worded.
///
/// The defaults are for a kind that is told once, by push, to everyone who acts for the patient: it needs
/// only its texts.
protocol ReminderHandler: PlannedReminder, ClaimedReminder, WordedReminder {}

extension ReminderHandler {
  func mayBeHeld(step: Int) -> Bool { climbs && step > 0 }
}
