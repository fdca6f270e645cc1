// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization

/// Someone opened the patient's data in an emergency.
struct EmergencyReminder: NoticeReminder {
  func page(of subject: ReminderID) -> String? { "/privacy/emergencies" }

  func title(_ words: ReminderText) -> String {
    words.localizer.text("emergency-access.notice.title")
  }

  func body(_ words: ReminderText) -> String {
    words.localizer.text("emergency-access.notice.body", ["time": .text(words.due)])
  }

  func open(_ words: ReminderText) -> String {
    words.localizer.text("emergency-access.notice.open")
  }
  func why(_ words: ReminderText) -> String { words.localizer.text("emergency-access.notice.why") }
}
