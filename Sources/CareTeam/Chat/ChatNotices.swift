// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Reminders
import Storage

/// Notifies an account of unread messages: one reminder for each conversation until it is read.
struct ChatNotices {
  let newIdentifier: @Sendable () -> String
  let now: Timestamp

  /// The time for which a notice is sent, in milliseconds.
  private static let lifetime: Int64 = 3 * 24 * 3_600_000

  /// Counts a message as unread, and plans a notice if there is none yet.
  func tell(_ account: AccountID, of message: ChatMessage, in writer: any SQLWriter) throws {
    let known = try writer.first(
      Self.noticeStatement,
      [.text(message.patient), .text(message.conversation), .text(account)]
    )?.read(ChatNoticeRow.self)
    var notice: ReminderID? = try known?.optionalID(.notice)
    // A notice that reached no one in its time does not count.
    let isOut =
      try known.map { row in
        try row.optionalText(.state) == ReminderState.ringing.rawValue
          || row[.handedOver] != .null
      } ?? false
    if notice == nil || !isOut {
      let subject = ReminderID(newIdentifier())
      try ReminderStore.insert(
        ReminderRow(
          patient: message.patient, subject: subject, kind: .message, starts: now, due: now,
          ends: now.adding(milliseconds: Self.lifetime), opened: now), in: writer)
      notice = subject
    }
    try ChatStore.countUnread(of: account, message, notice: notice, in: writer)
  }

  private static let noticeStatement = SQLStatement(
    """
    SELECT \(ChatNoticeRow.columns) FROM chat_members m
    LEFT JOIN reminders r ON r.patient = m.patient AND r.subject = m.notice
    WHERE m.patient = $1 AND m.conversation = $2 AND m.account = $3
    """)

  /// Ends the notice for messages that were read or withdrawn; waiting deliveries are not sent.
  func end(
    of account: AccountID, conversation: ConversationID, patient: PatientID,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let subject: ReminderID? = try writer.first(
      """
      SELECT notice FROM chat_members
      WHERE patient = $1 AND conversation = $2 AND account = $3 AND notice IS NOT NULL
      """, [.text(patient), .text(conversation), .text(account)])?.value()
    guard let subject else { return }
    try ChatStore.clearNotice(
      of: account, conversation: conversation, patient: patient, in: writer)
    guard var reminder = try ReminderStore.one(subject, in: writer), reminder.outcome == nil else {
      return
    }
    reminder.nextAt = now
    reminder.close(.answered, at: now)
    try ReminderStore.update(reminder, in: writer)
    try DeliveryStore.finish(reminder, wasOutcome: nil, now: now, in: writer)
  }
}

/// The notice about a conversation to an account, with its reminder.
enum ChatNoticeRow: SQLRowType {
  enum Column: Int, SQLColumn { case notice, state, handedOver }

  static let columns = SQLColumns<Column>(
    of: "m", [.state: "r.state", .handedOver: "r.handed_over"])
}
