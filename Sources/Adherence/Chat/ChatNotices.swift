// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import TimeZones

/// Tells an account that there is something to read: one reminder for each conversation until it is read.
struct ChatNotices {
  let newIdentifier: @Sendable () -> String
  let now: Timestamp

  /// How long a notice is worth sending.
  private static let lifetime: Int64 = 3 * 24 * 3_600_000

  /// Counts a message as unread, and plans a notice where none is out.
  func tell(_ account: AccountID, of message: ChatMessage, in writer: any SQLWriter) throws {
    let known = try writer.first(
      Self.noticeStatement,
      [.text(message.patient), .text(message.conversation), .text(account)]
    )?.read(ChatNoticeRow.self)
    var notice = try known?.optionalText(.notice)
    // One that reached nobody in its time told nothing.
    let isOut =
      try known.map { row in
        try row.optionalText(.state) == ReminderState.ringing.rawValue
          || row[.handedOver] != .null
      } ?? false
    if notice == nil || !isOut {
      let subject = newIdentifier()
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

  /// Ends the notice of what was read or taken back; what waits to be sent is not sent any more.
  func end(
    of account: AccountID, conversation: ConversationID, patient: PatientID,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let subject: String? = try writer.first(
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

  // MARK: Whom and where

  /// The account that a notice is for, with its ways; nil once it is read, or where messages are not shared
  /// with it any more.
  static func recipient(
    of subject: String, patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> ReminderRecipient? {
    guard
      let account = try accounts(of: [subject], at: now, in: reader)[subject]
    else { return nil }
    let rows = try reader.query(recipientStatement, [.text(patient), .text(account)])
      .map { $0.read(ChatRecipientRow.self) }
    guard let first = rows.first else { return nil }
    let silenced = try first.optionalText(.channels)?.split(separator: " ") ?? []
    var recipient = ReminderRecipient(account: account, devices: [])
    recipient.silenced = Set(silenced.compactMap { ReminderChannel(rawValue: String($0)) })
    let isByPhone = try first.integer(.byPhone) != 0
    recipient.isMailboxSilent =
      first[.silenced] != .null || isByPhone || recipient.silenced.contains(.mail)
    if !recipient.silenced.contains(.push) {
      for row in rows {
        guard let subscription = try row.optionalText(.subscription) else { continue }
        recipient.devices.append(
          ReminderRecipient.Device(
            subscription: subscription, unshown: try row.integer(.unshown),
            firstUnshown: try row.optionalTimestamp(.firstUnshown)))
      }
      recipient.devices.sort { $0.subscription < $1.subscription }
    }
    recipient.addresses = (try ReminderRecipients.proven([account], in: reader)[account] ?? [])
      .filter { !recipient.silenced.contains($0.channel) }
    return recipient
  }

  private static let recipientStatement = SQLStatement(
    """
    SELECT \(ChatRecipientRow.columns)
    FROM accounts a
    LEFT JOIN push_subscriptions s ON s.account = a.account AND s.gone IS NULL
    LEFT JOIN mailbox_choices m ON m.account = a.account
    LEFT JOIN silenced_channels x ON x.account = a.account AND x.patient = $1
    WHERE a.account = $2
    """)

  /// Every device, and where none works what is quiet, and mail.
  ///
  /// Nobody is called or texted for a message.
  static func addresses(
    _ recipient: ReminderRecipient, mailIsPossible: Bool, now: Timestamp
  ) -> [RungAddress] {
    ReminderLadder.quietAddresses(recipients: [recipient], now: now)
      + (mailIsPossible && !recipient.isMailboxSilent
        && !recipient.devices.contains { !$0.isBroken(at: now) }
        ? [RungAddress(recipient: recipient.account, channel: .mail, address: RungAddress.mailbox)]
        : [])
  }

  /// For whom notices are that still stand: unread, and of a patient whose messages the account may see.
  private static func accounts(
    of subjects: [String], at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [String: AccountID] {
    let rows = try reader.query(
      """
      SELECT \(NoticedAccountRow.columns) FROM chat_members m
      WHERE m.unread > 0 AND EXISTS (
          SELECT 1 FROM grants g WHERE g.patient = m.patient AND g.account = m.account
            AND (g.relationship IN ('self', 'guardian')
              OR ' ' || g.categories || ' ' LIKE '% messages %')
            AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1))
        AND m.notice IN (
      """, [SQLValue(now)], in: subjects.map { .text($0) })
    var found: [String: AccountID] = [:]
    for row in rows {
      let row = row.read(NoticedAccountRow.self)
      found[try row.text(.notice)] = try row.id(.account)
    }
    return found
  }

  // MARK: At the moment of sending

  /// What is to become of notices that wait to be sent, by delivery.
  static func verdicts(
    _ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader
  ) throws(StorageError) -> [DeliveryID: WaitingDelivery.Verdict] {
    let ours = waiting.filter { $0.kind == .message }
    guard !ours.isEmpty else { return [:] }
    let standing = try accounts(
      of: Array(Set(ours.map(\.subject))), at: context.now, in: reader)
    let quiet = try quietHours(ours, context, in: reader)
    var verdicts: [DeliveryID: WaitingDelivery.Verdict] = [:]
    for delivery in ours {
      let isMeant = standing[delivery.subject] == delivery.recipient
      if isMeant, delivery.mayCarryMessages(at: context.now) {
        let ends = (quiet[delivery.delivery] ?? []).compactMap { $0.held(at: context.now) }
        verdicts[delivery.delivery] = ends.max().map { .hold(until: $0) } ?? .send([])
      } else {
        verdicts[delivery.delivery] = .end(.stale)
      }
    }
    return verdicts
  }

  /// The quiet hours of the one who is told, and for who acts those of the patient too.
  private static func quietHours(
    _ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader
  ) throws(StorageError) -> [DeliveryID: [LadderTiming]] {
    var own: [AccountID: PatientID] = [:]
    for row in try reader.query(
      "SELECT \(AccountPatientRow.columns) FROM accounts WHERE account IN (", [],
      in: Set(waiting.map(\.recipient)).sorted().map { .text($0) })
    {
      let row = row.read(AccountPatientRow.self)
      own[try row.id(.account)] = try row.id(.patient)
    }
    var wanted: [DeliveryID: Set<PatientID>] = [:]
    for delivery in waiting {
      var patients: Set<PatientID> = delivery.isActing ? [delivery.patient] : []
      if let patient = own[delivery.recipient] { patients.insert(patient) }
      wanted[delivery.delivery] = patients
    }
    let all = Set(wanted.values.flatMap { $0 }).sorted()
    let found = try LadderReading.quietHours(all, zones: context.zones, in: reader)
    return wanted.mapValues { $0.compactMap { found[$0] } }
  }
}

/// The notice that tells an account of a conversation, with its reminder.
enum ChatNoticeRow: SQLRowType {
  enum Column: Int, SQLColumn { case notice, state, handedOver }

  static let columns = SQLColumns<Column>(
    of: "m", [.state: "r.state", .handedOver: "r.handed_over"])
}

/// A device of the account that a notice is for, with the account's choices: one row for each device.
enum ChatRecipientRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case subscription, unshown, firstUnshown, silenced, channels, byPhone
  }

  static let columns = SQLColumns<Column>(
    of: "s", [.silenced: "m.silenced", .channels: "x.channels", .byPhone: "a.by_phone"])
}

/// The account that a notice is for.
enum NoticedAccountRow: SQLRowType {
  enum Column: Int, SQLColumn { case notice, account }

  static let columns = SQLColumns<Column>(of: "m")
}

/// The patient that an account belongs to.
enum AccountPatientRow: SQLRowType {
  enum Column: Int, SQLColumn { case account, patient }

  static let columns = SQLColumns<Column>()
}
