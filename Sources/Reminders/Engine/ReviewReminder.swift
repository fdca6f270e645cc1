// SPDX-License-Identifier: Apache-2.0

import Localization

/// Someone opened a patient's data in an emergency: the notice to an administrator.
struct ReviewReminder: NoticeReminder {
  func page(of subject: String) -> String? { "/emergencies" }

  func title(_ words: ReminderWords) -> String {
    words.localizer.text("break-glass.notice.review-title")
  }

  func body(_ words: ReminderWords) -> String {
    words.localizer.text("break-glass.notice.review-body")
  }

  func open(_ words: ReminderWords) -> String { words.localizer.text("break-glass.notice.open") }
  func why(_ words: ReminderWords) -> String { words.localizer.text("break-glass.notice.why") }
}
