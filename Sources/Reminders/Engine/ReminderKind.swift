// SPDX-License-Identifier: Apache-2.0

/// The purpose of a reminder.
///
/// A new kind needs a case here, a line in ``handler``, a file with its handler, and a migration that lets the
/// column `kind` hold it.
package enum ReminderKind: String, Sendable, Hashable, CaseIterable {
  /// One person's doses that ring together.
  case doses
  /// Doses that were not rung in time, told once.
  case summary
  /// The test of a device; no dose.
  case test
  /// Somebody opened the patient's data in an emergency; told once to all who act for the patient.
  case emergency
  /// The same, told to an administrator, by the administrator's own patient.
  case review
  /// A practitioner sent a prescription, or stopped one; told once to all who act for the patient.
  case prescription
  /// The resting heart rate asks for a look.
  case warning
  /// A watch seems not to be worn.
  case wear
  /// An alarm of the person's own.
  case alarm
  /// A word ahead of a dose or an alarm; told once.
  case lead
  /// Something that somebody else is told of a person; told once.
  case news
  /// Somebody else reminds the person of an open dose; told once.
  case nudge
  /// Messages of a conversation wait to be read; told once to one account.
  case message
  /// Something of the medicines at home runs out or is past its day soon; told once.
  case stock
  /// The clocks are set by tomorrow, which moves doses; told once, the evening before.
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
  /// True if it rings for an ``Occasion``.
  package var isAlert: Bool { handler.isAlert }

  /// True if a channel may make more noise for it than for a message.
  package var isUrgent: Bool { handler.isUrgent }

  /// The sort that other programs are told.
  package var announcement: ReminderAnnouncement { handler.announcement }

  /// The page about a reminder, from the root of the server; nil where that is the page that rings.
  package func page(of subject: String) -> String? { handler.page(of: subject) }
}

/// The sorts of reminders that other programs can tell apart.
package enum ReminderAnnouncement: Sendable, Hashable, CaseIterable {
  case reminder, summary, test, notice
}
