// SPDX-License-Identifier: Apache-2.0

import Localization
import Storage

/// A word ahead of a dose or an alarm, by devices and what else makes no noise.
struct LeadReminder: OccasionReminder {
  var isUrgent: Bool { false }

  func stands(
    _ row: ReminderRow, _ occasion: Occasion?, _ context: ReminderContext,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    guard let occasion, occasion.state == .open else { return true }
    return try LeadNotices.stands(
      occasion, now: context.now, zones: context.zones, in: reader)
  }

  func addresses(
    _ firing: ReminderStep.Firing, of step: ReminderStep, told: [ReminderRecipient],
    mailIsPossible: Bool, now: Timestamp
  ) -> [RungAddress] {
    ReminderLadder.quietAddresses(recipients: told.filter { !$0.isFamily }, now: now)
  }

  func addresses(insteadOf failed: FailedAddress) -> [RungAddress] { failed.quiet }

  func page(of subject: String) -> String? { "/" }

  func title(_ words: ReminderWords) -> String {
    words.localizer.text("alarms.push.lead-title", ["time": .text(words.due)])
  }

  func body(_ words: ReminderWords) -> String { words.localizer.text("alarms.push.lead-body") }
  func why(_ words: ReminderWords) -> String { words.localizer.text("alarms.push.lead-why") }
}
