// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

extension ReminderSources {
  /// The sources of a program without such features.
  ///
  /// Existing reminders still count as needed.
  package static let none = ReminderSources(
    chat: NoReminderSource(), news: NoReminderSource(), nudges: NoReminderSource(),
    stock: NoReminderSource(), alarms: NoReminderSource(),
    plansForReview: { (_, _) throws(StorageError) in [:] })
}

/// A source that does nothing: it addresses no one, decides nothing and opens no alert.
private struct NoReminderSource: AddressedSource, StandingSource, AlertSource {
  func recipients(of reminder: ReminderRow, at now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> [ReminderRecipient]
  { [] }

  func ask(_ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [DeliveryID: AskedDelivery]
  { [:] }

  /// Returns true: a reminder that cannot be judged is sent rather than lost.
  func stands(_ reminder: ReminderRow, in reader: any SQLReader) throws(StorageError) -> Bool {
    true
  }

  func takeUp(limit: Int, in planning: inout ReminderPlanning) throws(StorageError) {}

  func clockStepped(
    back milliseconds: Int64, _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) {}
}
