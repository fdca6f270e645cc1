// SPDX-License-Identifier: Apache-2.0

import Localization

/// Someone opened the patient's data in an emergency.
struct EmergencyReminder: NoticeReminder {
  func page(of subject: String) -> String? { "/privacy/emergencies" }

  func title(_ words: ReminderWords) -> String {
    words.localizer.text("break-glass.notice.title")
  }

  func body(_ words: ReminderWords) -> String {
    words.localizer.text("break-glass.notice.body", ["time": .text(words.due)])
  }

  func open(_ words: ReminderWords) -> String { words.localizer.text("break-glass.notice.open") }
  func why(_ words: ReminderWords) -> String { words.localizer.text("break-glass.notice.why") }
}
