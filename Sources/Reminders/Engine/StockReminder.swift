// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Storage

/// A medicine at home runs out or expires soon.
struct StockReminder: CalmReminder {
  /// Returns false if the supply has been refilled since, or no one wants to be informed.
  func stands(
    _ row: ReminderRow, _ alert: Alert?, _ context: ReminderContext,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    row.step > 0 ? true : try context.sources.stock.stands(row, in: reader)
  }

  func page(of subject: ReminderID) -> String? { "/stock" }
  func title(_ words: ReminderText) -> String { words.localizer.text("stock.notice.title") }
  func body(_ words: ReminderText) -> String { words.localizer.text("stock.notice.body") }
  func why(_ words: ReminderText) -> String { words.localizer.text("stock.notice.why") }
}
