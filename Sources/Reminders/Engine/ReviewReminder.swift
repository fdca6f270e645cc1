// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization

/// A notice to an administrator that someone opened a patient's data in an emergency.
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
