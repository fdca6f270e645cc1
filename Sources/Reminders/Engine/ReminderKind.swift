// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// The purpose of a reminder.
///
/// A new kind needs a case here, a line in ``handler``, a file with its handler, and a migration that allows
/// it in the column `kind`.
package enum ReminderKind: String, Sendable, Hashable, CaseIterable {
  /// One person's doses that ring together.
  case doses
  /// Doses whose reminder did not ring in time; sent once.
  case summary
  /// The test of a device, without a dose.
  case test
  /// Someone opened the patient's data in an emergency; sent once to everyone who acts for the
  /// patient.
  case emergency
  /// Someone opened a patient's data in an emergency; sent to an administrator, through the administrator's
  /// own patient.
  case review
  /// A practitioner sent or stopped a prescription; sent once to everyone who acts for the patient.
  case prescription
  /// A question raised by the resting heart rate.
  case warning
  /// A watch that seems not to be worn.
  case wear
  /// An alarm of the person's own.
  case alarm
  /// An advance notice of a dose or an alarm; sent once.
  case lead
  /// A caregiver message about a person; sent once.
  case news
  /// A nudge from someone else about an open dose; sent once.
  case nudge
  /// Unread messages of a conversation; sent once to one account.
  case message
  /// A medicine at home that runs out or expires soon; sent once.
  case stock
  /// The clocks change tomorrow, which moves doses; sent once, the evening before.
  case clock

  /// The behaviour of the kind.
  var handler: any ReminderHandler {
    switch self {
    case .doses: DosesReminder()
    case .summary: SummaryReminder()
    case .test: TestReminder()
    case .emergency: EmergencyReminder()
    case .review: ReviewReminder()
    case .prescription: PrescriptionReminder()
    case .warning: WarningReminder()
    case .wear: WearReminder()
    case .alarm: AlarmReminder()
    case .lead: LeadReminder()
    case .news: NewsReminder()
    case .nudge: NudgeReminder()
    case .message: MessageReminder()
    case .stock: StockReminder()
    case .clock: ClockReminder()
    }
  }
}

extension ReminderKind {
  /// True if it rings for an ``Alert``.
  package var isAlert: Bool { handler.isAlert }

  /// True if a channel may make more noise for it than for a message.
  package var isUrgent: Bool { handler.isUrgent }

  /// The sort of reminder that other programs can distinguish.
  package var announcement: ReminderAnnouncement { handler.announcement }

  /// Returns the page about a reminder, from the root of the server; nil for the ringing page.
  package func page(of subject: ReminderID) -> String? { handler.page(of: subject) }
}

/// The sorts of reminders that other programs can distinguish.
package enum ReminderAnnouncement: Sendable, Hashable, CaseIterable {
  case reminder, summary, test, notice
}
