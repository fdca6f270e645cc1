// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Reminders
import Storage
import TimeZones

/// The source of the notifications about unread messages, which the reminder engine asks before it
/// sends them.
package struct ChatNoticeSource: AddressedSource {
  /// Creates the source.
  package init() {}

  /// Returns the account that a notification is for, with its channels.
  ///
  /// The result is empty once the messages are read, or if they are no longer shared with the
  /// account.
  package func recipients(
    of reminder: ReminderRow, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [ReminderRecipient] {
    guard
      let account = try Self.accounts(
        of: [reminder.subject], at: now, in: reader)[reminder.subject]
    else { return [] }
    let rows = try reader.query(
      Self.recipientStatement, [.text(reminder.patient), .text(account)]
    ).map { $0.read(ChatRecipientRow.self) }
    guard let first = rows.first else { return [] }
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
    return [recipient]
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

  /// Returns the recipients of notices that are still valid: unread, and about a patient whose messages the
  /// account may see.
  private static func accounts(
    of subjects: [ReminderID], at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [ReminderID: AccountID] {
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
    var found: [ReminderID: AccountID] = [:]
    for row in rows {
      let row = row.read(NoticedAccountRow.self)
      found[try row.id(.notice)] = try row.id(.account)
    }
    return found
  }

  // MARK: At the moment of sending

  /// Decides about notifications that wait to be sent.
  ///
  /// Nothing is sent about messages that were read or are no longer shared. Quiet hours, the
  /// account's own and those of a patient it acts for, hold a notification back.
  package func ask(
    _ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader
  ) throws(StorageError) -> [DeliveryID: AskedDelivery] {
    guard !waiting.isEmpty else { return [:] }
    let standing = try Self.accounts(
      of: Array(Set(waiting.map(\.subject))), at: context.now, in: reader)
    let quiet = try Self.quietHours(waiting, context, in: reader)
    var verdicts: [DeliveryID: WaitingDelivery.Verdict] = [:]
    for delivery in waiting {
      let isMeant = standing[delivery.subject] == delivery.recipient
      if isMeant, delivery.mayCarryMessages(at: context.now) {
        let ends = (quiet[delivery.delivery] ?? []).compactMap { $0.held(at: context.now) }
        verdicts[delivery.delivery] = ends.max().map { .hold(until: $0) } ?? .send([])
      } else {
        verdicts[delivery.delivery] = .end(.stale)
      }
    }
    return verdicts.mapValues { AskedDelivery(verdict: $0) }
  }

  /// Returns the quiet hours of the recipient and, if they act for the patient, the patient's too.
  private static func quietHours(
    _ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader
  ) throws(StorageError) -> [DeliveryID: [EscalationTiming]] {
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
    let found = try EscalationReading.quietHours(all, zones: context.zones, in: reader)
    return wanted.mapValues { $0.compactMap { found[$0] } }
  }
}

/// A device of the recipient of a notice, with the account's choices: one row for each device.
enum ChatRecipientRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case subscription, unshown, firstUnshown, silenced, channels, byPhone
  }

  static let columns = SQLColumns<Column>(
    of: "s", [.silenced: "m.silenced", .channels: "x.channels", .byPhone: "a.by_phone"])
}

/// The recipient of a notice.
enum NoticedAccountRow: SQLRowType {
  enum Column: Int, SQLColumn { case notice, account }

  static let columns = SQLColumns<Column>(of: "m")
}

/// The patient that an account belongs to.
enum AccountPatientRow: SQLRowType {
  enum Column: Int, SQLColumn { case account, patient }

  static let columns = SQLColumns<Column>()
}
