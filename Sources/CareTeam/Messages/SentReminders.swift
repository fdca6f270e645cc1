// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Localization
import People
import Reminders
import Scheduling
import Storage
import Supply
import TimeZones

/// Reminders addressed to a particular person: messages to others, and nudges from them.
enum SentReminders {
  /// Returns the recipients, with their devices and addresses.
  static func recipients(of row: ReminderRow, in reader: any SQLReader)
    throws(StorageError) -> [ReminderRecipient]
  {
    var recipients: [AccountID: ReminderRecipient] = [:]
    for found in try reader.query(recipientsStatement, [.text(row.subject)]) {
      let found = found.read(SentRecipientRow.self)
      let account: AccountID = try found.id(.account)
      let silenced = try found.optionalText(.channels)?.split(separator: " ") ?? []
      var known =
        recipients[account]
        ?? ReminderRecipient(
          account: account, devices: [],
          isMailboxSilent: found[.silenced] != .null || silenced.contains("mail"))
      known.silenced = Set(silenced.compactMap { ReminderChannel(rawValue: String($0)) })
      if let subscription = try found.optionalText(.subscription), !known.silenced.contains(.push),
        !known.devices.contains(where: { $0.subscription == subscription })
      {
        known.devices.append(
          ReminderRecipient.Device(
            subscription: subscription, unshown: try found.integer(.unshown),
            firstUnshown: try found.optionalTimestamp(.firstUnshown)))
      }
      recipients[account] = known
    }
    let addresses = try ReminderRecipients.proven(recipients.keys.sorted(), in: reader)
    return recipients.values.map { recipient in
      var recipient = recipient
      recipient.addresses = (addresses[recipient.account] ?? [])
        .filter { !recipient.silenced.contains($0.channel) }
      return recipient
    }.sorted { $0.account < $1.account }
  }

  private static let recipientsStatement = SQLStatement(
    """
    SELECT \(SentRecipientRow.columns) FROM caregiver_messages n
    LEFT JOIN push_subscriptions s ON s.account = n.account AND s.gone IS NULL
    LEFT JOIN mailbox_choices m ON m.account = n.account
    LEFT JOIN silenced_channels x ON x.patient = n.patient AND x.account = n.account
    WHERE n.subject = $1 AND n.state = 'told'
    """)

  /// The deliveries that may be sent, with their text.
  typealias Standing = [DeliveryID: NewsContent]

  /// Returns the deliveries of messages and nudges that may be sent now, by id; consent and rights of both
  /// sides are checked each time.
  static func standing(
    _ sent: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader
  ) throws(StorageError) -> Standing {
    guard !sent.isEmpty else { return [:] }
    let news = try allowedNews(
      Set(sent.filter { $0.kind == .news }.map(\.subject)).sorted(), context.now, in: reader)
    let nudges = try allowedNudges(
      Set(sent.filter { $0.kind == .nudge }.map(\.subject)).sorted(), context.now, in: reader)
    var found: Standing = [:]
    for delivery in sent {
      if delivery.kind == .nudge {
        if nudges.contains(delivery.subject) { found[delivery.delivery] = NewsContent() }
        continue
      }
      let told = news.filter {
        $0.subject == delivery.subject && $0.account == delivery.recipient
      }
      guard let first = told.first else { continue }
      var content = NewsContent()
      let language = delivery.accountLanguage ?? delivery.patientLanguage ?? .en
      if Set(told.map(\.notice.patient)).count == 1, first.notice.patient == delivery.patient {
        content.label = delivery.patientLabel.text(of: delivery.patientName, .of(language))
        if told.count == 1, first.says {
          let zone = delivery.patientZone.flatMap { try? context.zones.zone($0) } ?? .utc
          content.sentence = CaregiverMessageText(
            localizer: .of(language), zone: zone, now: context.now
          ).text(
            ShownCaregiverMessage(
              notice: first.notice, name: delivery.patientName, medicine: first.medicine))
        }
      }
      found[delivery.delivery] = content
    }
    return found
  }

  private struct Allowed {
    let subject: ReminderID
    let account: AccountID
    let notice: CaregiverMessage
    let says: Bool
    let medicine: String?
  }

  /// Returns the messages that may be delivered: the grant is valid and covers the message, both sides
  /// agreed, the rule is on, and it is unread.
  private static func allowedNews(
    _ subjects: [ReminderID], _ now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Allowed] {
    guard !subjects.isEmpty else { return [] }
    var found: [String: Allowed] = [:]
    for row in try reader.query(
      """
      SELECT \(AllowedNoticeRow.columns) FROM caregiver_messages n
      JOIN message_recipients m
        ON m.patient = n.patient AND m.account = n.account AND m.agreed IS NOT NULL
      JOIN grants g ON g.patient = n.patient AND g.account = n.account
      LEFT JOIN message_preferences c ON c.account = n.account
      WHERE n.state = 'told' AND n.seen IS NULL AND g.starts <= $1
        AND (g.ends IS NULL OR g.ends > $1) AND COALESCE(c.muted_until, 0) <= $1
        AND EXISTS (SELECT 1 FROM message_rules u WHERE u.patient = n.patient
          AND u.account = n.account AND (u.topic = n.topic OR n.topic = 'more'))
        AND n.subject IN (
      """, [SQLValue(now)], in: subjects.map { .text($0) })
    {
      let row = row.read(AllowedNoticeRow.self)
      guard let topic = MessageTopic(rawValue: try row.text(.topic)),
        let day = CivilDate(text: try row.text(.day)),
        let relationship = Relationship(rawValue: try row.text(.relationship)),
        relationship != .emergency, relationship != .self_
      else { continue }
      let shared = try row.text(.categories).split(separator: " ")
      let right = PatientRight(
        relationship, categories: Set(shared.compactMap { DataCategory(rawValue: String($0)) }))
      guard topic.isOpen(to: right) else { continue }
      let detail = CaregiverMessageDetail(text: try row.text(.detail))
      var medicine: String?
      let says = try row.bool(.says)
      if says, let plan = detail.plan, right.shares(.medicines) {
        medicine = try reader.first(
          "SELECT COALESCE(shown_name, medicine_name) FROM plans WHERE patient = $1 AND plan = $2",
          [row[.patient], .text(plan)])?.value()
      }
      if says, let stock = detail.stock, right.shares(.medicines) {
        medicine = try StockRows.shownName(of: stock, owner: row.id(.patient), in: reader)
      }
      let notice = CaregiverMessage(
        patient: try row.id(.patient), id: try row.text(.notice), account: try row.id(.account),
        topic: topic, day: day, happened: try row.timestamp(.happened),
        more: Int(clamping: try row.integer(.more)), detail: detail, tellAt: now)
      // If two grants apply, the one that shows more is used.
      if let before = found[notice.id], before.medicine != nil { continue }
      found[notice.id] = Allowed(
        subject: try row.id(.subject), account: notice.account, notice: notice, says: says,
        medicine: medicine)
    }
    return found.values.sorted { $0.notice.id < $1.notice.id }
  }

  /// Returns the nudges about doses that are still open, from those who may send one.
  private static func allowedNudges(
    _ subjects: [ReminderID], _ now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Set<ReminderID> {
    guard !subjects.isEmpty else { return [] }
    let found = try reader.query(
      """
      SELECT n.subject FROM nudges n
      JOIN doses d ON d.patient = n.patient AND d.plan = n.plan AND d.era = n.era
        AND d.occurrence = n.occurrence
      JOIN message_recipients m ON m.patient = n.patient AND m.account = n.account
      WHERE d.state = 'open' AND m.may_nudge = 1 AND m.agreed IS NOT NULL
        AND EXISTS (SELECT 1 FROM grants g WHERE g.patient = n.patient AND g.account = n.account
          AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1)
          AND (g.relationship = 'guardian' OR (g.relationship IN ('family', 'practitioner')
            AND ' ' || g.categories || ' ' LIKE '% adherence %')))
        AND n.subject IN (
      """, [SQLValue(now)], in: subjects.map { .text($0) }
    ).values(as: ReminderID.self)
    return Set(found)
  }
}

/// The recipient of a message, with one of their devices.
enum SentRecipientRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case account, subscription, unshown, firstUnshown, silenced, channels
  }

  static let columns = SQLColumns<Column>(
    of: "s",
    [
      .account: "n.account",
      .silenced: """
      COALESCE(m.silenced, (SELECT a.by_phone FROM accounts a
        WHERE a.account = n.account AND a.by_phone = 1))
      """,
      .channels: "x.channels",
    ])
}

/// A delivered message, with a right of its recipient.
enum AllowedNoticeRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case subject, account, patient, notice, topic, day, happened, more, detail
    case says, relationship, categories
  }

  static let columns = SQLColumns<Column>(
    of: "n",
    [.says: "m.says", .relationship: "g.relationship", .categories: "g.categories"])
}
