// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Localization
import Plans
import Scheduling
import Storage
import TimeZones

/// A reminder that went to a number and can still be answered.
package struct OpenReply: Sendable {
  /// The latest delivery that told it, or the one that was asked for.
  package let delivery: DeliveryID
  /// The reminder.
  package let subject: ReminderID
  /// The person whose doses it names.
  package let patient: PatientID
  /// The account in whose name it is answered.
  package let recipient: AccountID
  /// The doses that are still open, by due time.
  package let open: [DoseID]
  /// The times at which they are due.
  package let due: [Timestamp]
  /// The language of the recipient.
  package let language: Language
  /// The zone in which times are said.
  package let zone: Zone
}

/// The numbers that may answer reminders, what was sent to them, and what they said.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change the tables.
package enum Replies {
  /// The path to which a gateway sends replies.
  package static let path = "/api/v1/gateways/replies"
  /// The milliseconds for which a question about numbered reminders waits.
  private static let talkMilliseconds: Int64 = 60 * 60_000
  /// The milliseconds for which received messages are remembered.
  private static let memory: Int64 = 7 * 24 * 3_600_000
  /// The maximum number of reminders of one number that are looked at, which are the latest.
  private static let most = 50

  /// Returns the keyed digest by which a number is known.
  package static func sender(_ number: String, cipher: FieldCipher) -> [UInt8] {
    cipher.blindIndex(number, context: "reply_senders:number")
  }

  // MARK: Sending

  /// Records that a reminder goes to a number, which may answer it until the doses are over.
  static func offer(
    _ delivery: WaitingDelivery, naming doses: [RingingDose], to number: String,
    _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) {
    guard let expires = doses.map(\.lateUntil).max() else { return }
    let sender = sender(number, cipher: context.accounts.cipher)
    try know(sender, at: delivery.address, of: delivery.recipient, in: writer)
    try writer.execute(
      """
      INSERT INTO reply_offers (patient, delivery, sender, account, subject, doses, sent, expires)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (patient, delivery) DO UPDATE SET doses = excluded.doses,
        sent = excluded.sent, expires = excluded.expires
      """,
      [
        .text(delivery.patient), .text(delivery.delivery), .blob(sender),
        .text(delivery.recipient), .text(delivery.subject),
        .text(doses.map(\.key.text).joined(separator: "\n")), SQLValue(context.now),
        SQLValue(expires),
      ])
  }

  /// Records that messages to an address reach a number or a chat.
  static func know(
    _ sender: [UInt8], at address: String, of account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO reply_senders (sender, address, account) VALUES ($1, $2, $3)
      ON CONFLICT (sender, address) DO UPDATE SET account = excluded.account, stopped = NULL
      """, [.blob(sender), .text(address), .text(account)])
  }

  // MARK: Receiving

  /// Returns the confirmed addresses of a number, and those that it stopped; none for a stranger.
  package static func senders(
    _ sender: [UInt8], in reader: any SQLReader
  ) throws(StorageError) -> [ReplySender] {
    var found: [ReplySender] = []
    for row in try reader.query(sendersStatement, [.blob(sender)]) {
      found.append(try ReplySender(row.read(ReplySender.self)))
    }
    return found
  }

  private static let sendersStatement = SQLStatement(
    """
    SELECT \(ReplySender.columns) FROM reply_senders s
    JOIN channel_addresses c ON c.address = s.address
    WHERE s.sender = $1 AND c.gone IS NULL AND (c.confirmed IS NOT NULL OR s.stopped IS NOT NULL)
    ORDER BY s.address
    """)

  /// Remembers a received message; returns false if it was received before.
  package static func receive(
    _ id: String, from sender: [UInt8], at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let digest = Fingerprint.digest(of: sender + Array(id.utf8))
    return try writer.execute(
      """
      INSERT INTO reply_messages (digest, received) VALUES ($1, $2)
      ON CONFLICT (digest) DO NOTHING
      """, [.blob(digest), SQLValue(now)]) > 0
  }

  /// Returns the reminders that a number can answer now, the latest first; one for each group of
  /// doses.
  ///
  /// - Parameter delivery: the only delivery to look at; nil for all.
  package static func open(
    _ sender: [UInt8], delivery: DeliveryID? = nil, at now: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws(StorageError) -> [OpenReply] {
    var rows: [ReplyOfferRow] = []
    var seen: Set<ReminderID> = []
    for row in try reader.query(openStatement, [SQLValue(now), .blob(sender), SQLValue(most)]) {
      let offer = try ReplyOfferRow(row.read(ReplyOfferRow.self))
      if let delivery, offer.delivery != delivery { continue }
      if seen.insert(offer.subject).inserted { rows.append(offer) }
    }
    if rows.isEmpty { return [] }
    let doses = try RingingDoses.of(rows.map(\.subject), in: reader)
    return rows.compactMap { row in
      let open = doses[row.subject, default: []]
        .filter { row.doses.contains($0.key.text) && $0.mayRing(at: now) }
        .sorted(by: RingingDose.inOrder)
      let ids = open.compactMap(\.key.dose)
      if ids.isEmpty { return nil }
      return OpenReply(
        delivery: row.delivery, subject: row.subject, patient: row.patient,
        recipient: row.recipient, open: ids, due: open.map(\.due), language: row.language,
        zone: row.zone.flatMap { try? zones.zone($0) } ?? .utc)
    }
  }

  private static let openStatement = SQLStatement(
    """
    SELECT \(ReplyOfferRow.columns) FROM \(ReplyOfferRow.tables)
    WHERE o.expires > $1 AND o.sender = $2 AND r.outcome IS NULL AND EXISTS (
      SELECT 1 FROM grants g
      WHERE g.patient = o.patient AND g.account = o.account
        AND g.relationship IN ('self', 'guardian')
        AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1))
    ORDER BY o.sent DESC, o.delivery LIMIT $3
    """)

  // MARK: The conversation

  /// Returns what the last message of a number left open, if that was less than an hour ago.
  package static func talk(
    _ sender: [UInt8], at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> ReplyTalk {
    let row = try reader.first(
      talkStatement, [.blob(sender), SQLValue(now.adding(milliseconds: -talkMilliseconds))])
    return try row.map { row throws(StorageError) in try ReplyTalk(row.read(ReplyTalk.self)) }
      ?? ReplyTalk()
  }

  private static let talkStatement = SQLStatement(
    "SELECT \(ReplyTalk.columns) FROM reply_talks t WHERE t.sender = $1 AND t.changed > $2")

  /// Keeps what a message leaves open.
  package static func keep(
    _ talk: ReplyTalk, of sender: [UInt8], account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let listed = talk.listed.map(\.text).joined(separator: "\n")
    try writer.execute(
      """
      INSERT INTO reply_talks (sender, account, misread, action, listed, changed)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (sender) DO UPDATE SET account = excluded.account, misread = excluded.misread,
        action = excluded.action, listed = excluded.listed, changed = excluded.changed
      """,
      [
        .blob(sender), .text(account), SQLValue(talk.misread), SQLValue(talk.action?.rawValue),
        talk.action == nil ? .null : .text(listed), SQLValue(now),
      ])
  }

  // MARK: Stopping

  /// Ends all messages to a number until it asks for them again.
  package static func stop(
    _ sender: [UInt8], _ addresses: [ReplySender], at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    for known in addresses where !known.isStopped {
      try ChannelAddressStore.pause(known.address, in: writer)
      try writer.execute(
        "UPDATE reply_senders SET stopped = $1 WHERE sender = $2 AND address = $3",
        [SQLValue(now), .blob(sender), .text(known.address)])
    }
  }

  /// Sends messages again to the addresses that a number stopped; returns false if there were none.
  package static func start(
    _ sender: [UInt8], _ addresses: [ReplySender], at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let stopped = addresses.filter(\.isStopped)
    for known in stopped {
      try ChannelAddressStore.confirm(known.address, at: now, in: writer)
      try writer.execute(
        "UPDATE reply_senders SET stopped = NULL WHERE sender = $1 AND address = $2",
        [.blob(sender), .text(known.address)])
    }
    return !stopped.isEmpty
  }

  // MARK: Retention

  /// Deletes what can no longer answer anything.
  static func forget(before instant: Timestamp, limit: Int, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      DELETE FROM reply_offers WHERE (patient, delivery) IN (
        SELECT patient, delivery FROM reply_offers WHERE expires < $1 ORDER BY expires LIMIT $2)
      """, [SQLValue(instant), SQLValue(limit)])
    try writer.execute(
      """
      DELETE FROM reply_messages WHERE digest IN (
        SELECT digest FROM reply_messages WHERE received < $1 ORDER BY received LIMIT $2)
      """, [SQLValue(instant.adding(milliseconds: -memory)), SQLValue(limit)])
    try writer.execute(
      """
      DELETE FROM reply_talks WHERE sender IN (
        SELECT sender FROM reply_talks WHERE changed < $1 ORDER BY changed LIMIT $2)
      """, [SQLValue(instant), SQLValue(limit)])
  }
}
