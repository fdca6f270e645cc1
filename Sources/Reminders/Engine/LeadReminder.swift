// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Storage

/// An advance notice of a dose or an alarm, sent to devices and other silent channels.
struct LeadReminder: AlertReminder {
  var isUrgent: Bool { false }

  func stands(
    _ row: ReminderRow, _ alert: Alert?, _ context: ReminderContext,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    guard let alert, alert.state == .open else { return true }
    return try LeadNotices.stands(
      alert, now: context.now, zones: context.zones, in: reader)
  }

  func addresses(
    _ firing: ReminderStep.Firing, of step: ReminderStep, told: [ReminderRecipient],
    mailIsPossible: Bool, now: Timestamp
  ) -> [EscalationAddress] {
    ReminderEscalation.quietAddresses(recipients: told.filter { !$0.isFamily }, now: now)
  }

  func addresses(insteadOf failed: FailedAddress) -> [EscalationAddress] { failed.quiet }

  func page(of subject: ReminderID) -> String? { "/" }

  func title(_ words: ReminderText) -> String {
    words.localizer.text("alarms.push.lead-title", ["time": .text(words.due)])
  }

  func body(_ words: ReminderText) -> String { words.localizer.text("alarms.push.lead-body") }
  func why(_ words: ReminderText) -> String { words.localizer.text("alarms.push.lead-why") }
}
