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
    let key: [SQLValue] = [
      .text(message.patient), .text(message.conversation), .text(account),
    ]
    let known = try writer.first(
      """
      SELECT m.notice, r.state, r.handed_over FROM chat_members m
      LEFT JOIN reminders r ON r.patient = m.patient AND r.subject = m.notice
      WHERE m.patient = $1 AND m.conversation = $2 AND m.account = $3
      """, key)
    var notice = try known?.optionalText(0)
    // One that reached nobody in its time told nothing.
    let isOut =
      try known.map { row in
        try row.optionalText(1) == ReminderState.ringing.rawValue || row[2] != .null
      } ?? false
    if notice == nil || !isOut {
      let subject = newIdentifier()
      try ReminderStore.insert(
        ReminderRow(
          patient: message.patient, subject: subject, kind: .message, starts: now, due: now,
          ends: now.adding(milliseconds: Self.lifetime), opened: now), in: writer)
      notice = subject
    }
    try writer.execute(
      """
      INSERT INTO chat_members (patient, conversation, account, seen_number, seen, unread, notice)
      VALUES ($1, $2, $3, 0, NULL, 1, $4)
      ON CONFLICT (patient, conversation, account) DO UPDATE SET
        unread = chat_members.unread + 1, notice = excluded.notice
      """, key + [SQLValue(notice)])
  }

  /// Ends the notice of what was read or taken back; what waits to be sent is not sent any more.
  func end(
    of account: AccountID, conversation: ConversationID, patient: PatientID,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let key: [SQLValue] = [.text(patient), .text(conversation), .text(account)]
    let row = try writer.first(
      """
      SELECT notice FROM chat_members
      WHERE patient = $1 AND conversation = $2 AND account = $3 AND notice IS NOT NULL
      """, key)
    guard let subject = try row?.optionalText(0) else { return }
    try writer.execute(
      """
      UPDATE chat_members SET notice = NULL
      WHERE patient = $1 AND conversation = $2 AND account = $3
      """, key)
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
    let rows = try reader.query(
      """
      SELECT s.subscription, s.unshown, s.first_unshown, m.silenced, x.channels, a.by_phone
      FROM accounts a
      LEFT JOIN push_subscriptions s ON s.account = a.account AND s.gone IS NULL
      LEFT JOIN mailbox_choices m ON m.account = a.account
      LEFT JOIN silenced_channels x ON x.account = a.account AND x.patient = $1
      WHERE a.account = $2
      """, [.text(patient), .text(account)])
    guard let first = rows.first else { return nil }
    let silenced = try first.optionalText(4)?.split(separator: " ") ?? []
    var recipient = ReminderRecipient(account: account, devices: [])
    recipient.silenced = Set(silenced.compactMap { ReminderChannel(rawValue: String($0)) })
    let isByPhone = try first.integer(5) != 0
    recipient.isMailboxSilent =
      first[3] != .null || isByPhone || recipient.silenced.contains(.mail)
    if !recipient.silenced.contains(.push) {
      for row in rows {
        guard let subscription = try row.optionalText(0) else { continue }
        recipient.devices.append(
          ReminderRecipient.Device(
            subscription: subscription, unshown: try row.integer(1),
            firstUnshown: try row.optionalTimestamp(2)))
      }
      recipient.devices.sort { $0.subscription < $1.subscription }
    }
    recipient.addresses = (try ReminderRecipients.proven([account], in: reader)[account] ?? [])
      .filter { !recipient.silenced.contains($0.channel) }
    return recipient
  }

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
      SELECT m.notice, m.account FROM chat_members m
      WHERE m.unread > 0 AND EXISTS (
          SELECT 1 FROM grants g WHERE g.patient = m.patient AND g.account = m.account
            AND (g.relationship IN ('self', 'guardian')
              OR ' ' || g.categories || ' ' LIKE '% messages %')
            AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1))
        AND m.notice IN (
      """, [SQLValue(now)], in: subjects.map { .text($0) })
    var found: [String: AccountID] = [:]
    for row in rows { found[try row.text(0)] = try row.id(1) }
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
      "SELECT account, patient FROM accounts WHERE account IN (", [],
      in: Set(waiting.map(\.recipient)).sorted().map { .text($0) })
    { own[try row.id(0)] = try row.id(1) }
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
