// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization

/// A practitioner sent or stopped a prescription.
struct PrescriptionReminder: NoticeReminder {
  func page(of subject: ReminderID) -> String? { "/" }
  func title(_ words: ReminderText) -> String { words.localizer.text("care-team.notice.title") }
  func body(_ words: ReminderText) -> String { words.localizer.text("care-team.notice.body") }
  func why(_ words: ReminderText) -> String { words.localizer.text("care-team.notice.why") }
}
