// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Storage

/// Clocks change by tomorrow, which moves doses.
struct ClockReminder: CalmReminder {
  func stands(
    _ row: ReminderRow, _ alert: Alert?, _ context: ReminderContext,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    row.step > 0 ? true : try EscalationReading.tellsClock(row.patient, in: reader)
  }

  func page(of subject: ReminderID) -> String? { "/" }
  func title(_ words: ReminderText) -> String { words.localizer.text("travel.clock-title") }
  func body(_ words: ReminderText) -> String { words.localizer.text("travel.clock-body") }
  func why(_ words: ReminderText) -> String { words.localizer.text("travel.clock-why") }
}
