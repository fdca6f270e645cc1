// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Storage

/// The resting heart rate asks for a look: told once to who acts, and to the family where nobody answers.
struct WarningReminder: HeartReminder {
  var climbs: Bool { true }

  /// A question goes to who acts once and, where nobody answers it, to the family; what was answered and
  /// comes once more goes to nobody else.
  func timing(of row: ReminderRow, from chosen: EscalationTiming) -> EscalationTiming {
    var timing = chosen
    timing.escalation = chosen.escalation.ofQuestion(withFamily: row.generation == 1)
    return timing
  }

  func follow(
    _ step: inout ReminderStep, doses: [RingingDose], alert: Alert?, now: Timestamp
  ) {
    step.question(now: now)
  }

  func title(_ words: ReminderText) -> String {
    words.content.isForFamily
      ? words.localizer.text("heart-rate-monitoring.notice.family-title")
      : words.localizer.text("heart-rate-monitoring.notice.title")
  }

  func body(_ words: ReminderText) -> String {
    words.content.isForFamily
      ? words.localizer.text("heart-rate-monitoring.notice.family-body")
      : words.localizer.text("heart-rate-monitoring.notice.body")
  }

  func why(_ words: ReminderText) -> String {
    words.content.isForFamily
      ? words.localizer.text("heart-rate-monitoring.notice.family-why")
      : words.localizer.text("heart-rate-monitoring.notice.why")
  }
}
