// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Storage

/// A question raised by the resting heart rate: sent once to those who act for the patient, and to
/// the family if no one answers.
struct WarningReminder: HeartReminder {
  var climbs: Bool { true }

  /// Returns a policy with one step for those who act for the patient and, if no one answers, one for each
  /// family member.
  ///
  /// A question that was answered and is asked again goes to no one else.
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
