// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization

/// Someone opened a patient's data in an emergency: the notice to an administrator.
struct ReviewReminder: NoticeReminder {
  func page(of subject: ReminderID) -> String? { "/emergencies" }

  func title(_ words: ReminderText) -> String {
    words.localizer.text("emergency-access.notice.review-title")
  }

  func body(_ words: ReminderText) -> String {
    words.localizer.text("emergency-access.notice.review-body")
  }

  func open(_ words: ReminderText) -> String {
    words.localizer.text("emergency-access.notice.open")
  }
  func why(_ words: ReminderText) -> String { words.localizer.text("emergency-access.notice.why") }
}
