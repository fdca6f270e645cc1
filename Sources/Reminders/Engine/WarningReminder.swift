// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Storage

/// The resting heart rate asks for a look: told once to who acts, and to the family where nobody answers.
struct WarningReminder: HeartReminder {
  var climbs: Bool { true }

  /// A question goes to who acts once and, where nobody answers it, to the family; what was answered and
  /// comes once more goes to nobody else.
  func timing(of row: ReminderRow, from chosen: LadderTiming) -> LadderTiming {
    var timing = chosen
    timing.ladder = chosen.ladder.ofQuestion(withFamily: row.generation == 1)
    return timing
  }

  func follow(
    _ step: inout ReminderStep, doses: [RingingDose], occasion: Occasion?, now: Timestamp
  ) {
    step.question(now: now)
  }

  func title(_ words: ReminderWords) -> String {
    words.content.isForFamily
      ? words.localizer.text("watching.notice.family-title")
      : words.localizer.text("watching.notice.title")
  }

  func body(_ words: ReminderWords) -> String {
    words.content.isForFamily
      ? words.localizer.text("watching.notice.family-body")
      : words.localizer.text("watching.notice.body")
  }

  func why(_ words: ReminderWords) -> String {
    words.content.isForFamily
      ? words.localizer.text("watching.notice.family-why")
      : words.localizer.text("watching.notice.why")
  }
}
