// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization

/// The texts of one kind of reminder, and the page that it leads to.
protocol WordedReminder: Sendable {
  /// The sort of reminder that other programs can distinguish.
  var announcement: ReminderAnnouncement { get }

  /// True if a channel may make more noise for it than for a message.
  var isUrgent: Bool { get }

  /// True if a device shows the buttons that it has for doses.
  var hasButtons: Bool { get }

  /// Returns the page about a reminder, from the root of the server; nil for the ringing page.
  func page(of subject: ReminderID) -> String?

  /// Returns the path that a notification opens, from the root of the server.
  func path(_ content: ReminderContent) -> String

  /// Returns the label before the title; nil for none.
  func label(_ content: ReminderContent) -> String?

  func title(_ words: ReminderText) -> String
  func body(_ words: ReminderText) -> String

  /// Returns the label of a button that opens the page.
  func open(_ words: ReminderText) -> String

  /// Returns the last sentence of a mail, which states why it was sent.
  func why(_ words: ReminderText) -> String
}

extension WordedReminder {
  var announcement: ReminderAnnouncement { .notice }
  var isUrgent: Bool { true }
  var hasButtons: Bool { true }

  func path(_ content: ReminderContent) -> String {
    page(of: content.subject) ?? (content.isForFamily ? "/" : content.ringPath)
  }

  func label(_ content: ReminderContent) -> String? { content.label }
  func open(_ words: ReminderText) -> String { words.localizer.text("reminders.open") }
}
