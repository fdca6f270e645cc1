// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Storage

/// The test of a device or another address, which is planned with its delivery.
struct TestReminder: ReminderHandler {
  var isToldOnce: Bool { false }
  var provesAddress: Bool { true }
  var announcement: ReminderAnnouncement { .test }

  func follow(
    _ step: inout ReminderStep, doses: [RingingDose], alert: Alert?, now: Timestamp
  ) {
    step.test(now: now)
  }

  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict {
    delivery.sending(if: delivery.hasAddress, at: now)
  }

  func page(of subject: ReminderID) -> String? { "/device" }
  func title(_ words: ReminderText) -> String { words.localizer.text("reminders.test-title") }
  func body(_ words: ReminderText) -> String { words.localizer.text("reminders.test-body") }
  func why(_ words: ReminderText) -> String { words.localizer.text("reminders.mail-why-summary") }
}
