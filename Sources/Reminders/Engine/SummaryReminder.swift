// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Storage

/// Doses whose reminder did not ring in time; sent once.
struct SummaryReminder: ReminderHandler {
  var announcement: ReminderAnnouncement { .summary }

  func follow(
    _ step: inout ReminderStep, doses: [RingingDose], alert: Alert?, now: Timestamp
  ) {
    step.summary(ReminderStep.Standing(doses, row: step.row, now: now), now: now)
  }

  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict {
    delivery.sending(doses, isTooLate: false) { _ in now < delivery.ends }
  }

  func page(of subject: ReminderID) -> String? { nil }

  func title(_ words: ReminderText) -> String {
    words.localizer.text("reminders.summary-title")
  }

  func body(_ words: ReminderText) -> String {
    words.localizer.text("reminders.summary-body", ["times": .text(words.times)])
  }

  func why(_ words: ReminderText) -> String { words.localizer.text("reminders.mail-why-summary") }
}
