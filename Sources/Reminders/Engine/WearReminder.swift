// SPDX-License-Identifier: Apache-2.0

import Localization

/// A watch seems not to be worn.
struct WearReminder: HeartReminder {
  func title(_ words: ReminderWords) -> String {
    words.localizer.text("watching.notice.wear-title")
  }

  func body(_ words: ReminderWords) -> String { words.localizer.text("watching.notice.wear-body") }
  func why(_ words: ReminderWords) -> String { words.localizer.text("watching.notice.why") }
}
