// SPDX-License-Identifier: Apache-2.0

import Localization

/// A watch seems not to be worn.
struct WearReminder: HeartReminder {
  func title(_ words: ReminderText) -> String {
    words.localizer.text("heart-rate-monitoring.notice.wear-title")
  }

  func body(_ words: ReminderText) -> String {
    words.localizer.text("heart-rate-monitoring.notice.wear-body")
  }
  func why(_ words: ReminderText) -> String {
    words.localizer.text("heart-rate-monitoring.notice.why")
  }
}
