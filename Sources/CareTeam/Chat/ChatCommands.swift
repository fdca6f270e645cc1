// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Foundation
import HeartRate
import Identifiers
import People
import Plans
import Storage

/// A photo that was re-encoded on the server.
package struct ChatPhoto: Sendable, Hashable {
  /// The content of the image file.
  package let bytes: [UInt8]
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int

  /// Creates a photo from an image file and its size in pixels.
  package init(bytes: [UInt8], width: Int, height: Int) {
    self.bytes = bytes
    self.width = width
    self.height = height
  }
}

/// A message that someone wants to send.
package struct ChatDraft: Sendable, Hashable {
  /// A UUID created by the sender's device; a message sent twice with the same one is stored once.
  package var event: String
  /// The text as typed; may be empty next to a photo.
  package var text: String
  /// The photo; nil without one.
  package var photo: ChatPhoto?
  /// The dose or question that the message refers to; nil for none.
  package var link: ChatLink?
  /// The time of writing, if the message waited for a network; nil for now.
  package var written: Timestamp?

  /// Creates a draft.
  package init(
    event: String, text: String, photo: ChatPhoto? = nil, link: ChatLink? = nil,
    written: Timestamp? = nil
  ) {
    self.event = event
    self.text = text
    self.photo = photo
    self.link = link
    self.written = written
  }
}

/// Commands to send, read and withdraw messages; each of them checks that its actor may do so.
package struct ChatCommands: Sendable {
  /// The account that acts, and the current time.
  package let context: CommandContext
  /// The accounts, whose grants decide who may write and whose key encrypts the messages.
  package let accounts: AccountStore

  /// Creates the commands of one account.
  package init(context: CommandContext, accounts: AccountStore) {
    self.context = context
    self.accounts = accounts
  }

  /// The resource that `Access` is asked about for writing.
  package static let resource = "ChatMessage"
  /// The maximum time that a message can have waited for a network, in milliseconds.
  private static let longestWait: Int64 = 30 * 24 * 3_600_000

  private var now: Timestamp { context.now }
  private var rows: ChatRows { ChatRows(cipher: accounts.cipher) }
  private var reader: ChatReader {
    ChatReader(actor: context.actor, accounts: accounts, now: context.now)
  }

  // MARK: Sending

  /// Sends a message; one with the event of an earlier message returns that one and stores nothing.
  ///
  /// - Throws: ``ChatError`` if the message cannot be sent.
  package func send(
    _ draft: ChatDraft, to conversation: ConversationID, in writer: any SQLWriter
  ) throws -> (message: ChatMessage, isNew: Bool) {
    guard let conversation = try reader.conversation(conversation, in: writer) else {
      throw ChatError.notFound
    }
    guard let role = conversation.standing.role else { throw ChatError.notAllowed }
    try authorize(.create, conversation.patient)
    guard let event = UUID(uuidString: draft.event)?.uuidString.lowercased() else {
      throw ChatError.event
    }
    let sender = context.actor.accountID
    if let earlier = try rows.earlier(
      event, of: sender, conversation.id, patient: conversation.patient, in: writer)
    {
      return (earlier, false)
    }
    guard conversation.isOpen else { throw ChatError.ended }
    let text = try ChatText.cleaned(draft.text)
    guard !text.isEmpty || draft.photo != nil else { throw ChatError.empty }
    if let link = draft.link { try check(link, of: conversation.patient, in: writer) }
    try limit(isPhoto: draft.photo != nil, in: writer)
    let message = ChatMessage(
      id: context.newID(), conversation: conversation.id, patient: conversation.patient,
      number: try nextNumber(conversation, in: writer), event: event, sender: sender,
      side: conversation.standing.side, role: role, senderName: context.byName, text: text,
      hasPhoto: draft.photo != nil, link: draft.link, sent: now, written: written(draft),
      withdrawn: nil)
    try rows.insert(message, in: writer)
    if let photo = draft.photo {
      try rows.insert(photo, of: MessageID(message.id.text), patient: message.patient, in: writer)
    }
    let notices = ChatNotices(newIdentifier: context.newIdentifier, now: now)
    for account in try recipients(conversation, in: writer) {
      try notices.tell(account, of: message, in: writer)
    }
    audit(.create, message, in: writer)
    return (message, true)
  }

  private func authorize(_ action: Action, _ patient: PatientID) throws {
    let decision = decide(
      actor: context.actor, action: action, patient: patient, resource: Self.resource,
      purpose: .care)
    guard case .allow = decision else { throw ChatError.notAllowed }
  }

  /// Returns the time of writing, never in the future or longer ago than ``longestWait``.
  private func written(_ draft: ChatDraft) -> Timestamp {
    guard let written = draft.written else { return now }
    return max(min(written, now), now.adding(milliseconds: -Self.longestWait))
  }

  private func check(
    _ link: ChatLink, of patient: PatientID, in reader: any SQLReader
  ) throws {
    let decision = decide(
      actor: context.actor, action: .read, patient: patient, resource: link.resource,
      purpose: .care)
    guard case .allow = decision else { throw ChatError.link }
    let isThere =
      switch link {
      case .dose(let dose):
        try DoseQueries.dose(dose, patient: patient, now: now, in: reader) != nil
      case .warning(let id): try HeartRateQueries.warning(id, in: reader)?.patient == patient
      }
    guard isThere else { throw ChatError.link }
  }

  private func limit(isPhoto: Bool, in reader: any SQLReader) throws {
    let sender = SQLValue(context.actor.accountID)
    let sent = try reader.first(
      Self.sentStatement,
      [
        SQLValue(now.adding(milliseconds: -ChatLimits.minuteMilliseconds)), sender,
        SQLValue(now.adding(milliseconds: -ChatLimits.day)),
      ])?.read(SentCountRow.self)
    guard let sent else { return }
    if let seconds = ChatLimits.wait(
      minute: try sent.integer(.minute), day: try sent.integer(.day),
      photos: try sent.integer(.photos), isPhoto: isPhoto)
    {
      throw ChatError.tooMany(seconds: seconds)
    }
  }

  private static let sentStatement = SQLStatement(
    """
    SELECT \(SentCountRow.columns) FROM (
      SELECT COUNT(*) AS day, COUNT(CASE WHEN sent > $1 THEN 1 END) AS minute,
        COUNT(CASE WHEN has_photo = 1 THEN 1 END) AS photos
      FROM chat_messages WHERE sender = $2 AND sent > $3
    ) AS counts
    """)

  /// Returns the next number; creates the conversation with its first message.
  private func nextNumber(_ conversation: Conversation, in writer: any SQLWriter) throws -> Int64 {
    let number = conversation.lastNumber.addingClamped(1)
    try ChatStore.save(
      NewConversationRow(conversation: conversation, lastNumber: number, sent: now), in: writer)
    return number
  }

  /// The accounts on the other side.
  private func recipients(
    _ conversation: Conversation, in reader: any SQLReader
  ) throws -> [AccountID] {
    guard conversation.standing.side == .member else { return [conversation.member] }
    let grants = try accounts.grants(of: conversation.patient, at: now, in: reader)
    let acting = grants.filter { $0.right.relationship.actsForPatient }.map(\.account)
    return Set(acting).subtracting([context.actor.accountID]).sorted()
  }

  // MARK: Reading

  /// Records that the actor has read up to a message, and ends the notification once nothing is unread.
  ///
  /// - Returns: true if that was not known yet.
  package func read(
    _ conversation: Conversation, through number: Int64, in writer: any SQLWriter
  ) throws -> Bool {
    // Before the first message, the conversation has no row.
    guard conversation.standing.role != nil, number > 0, conversation.lastNumber > 0 else {
      return false
    }
    let (patient, id, account) = (
      conversation.patient, conversation.id, context.actor.accountID
    )
    let read = min(number, conversation.lastNumber)
    let known = try writer.first(
      ChatReader.readStateStatement, [.text(patient), .text(id), .text(account)]
    )?.decode(as: ReadStateRow.self)
    if let known, known.seenNumber >= read, known.unread == 0 { return false }
    let left: Int64? = try writer.first(
      """
      SELECT COUNT(*) FROM chat_messages
      WHERE patient = $1 AND conversation = $2 AND number > $3 AND side = $4
        AND withdrawn IS NULL
      """,
      [
        .text(patient), .text(id), .integer(read),
        .text(conversation.standing.side.other.rawValue),
      ])?.value()
    let unread = left ?? 0
    try ChatStore.markRead(
      ChatMemberRow(
        patient: patient, conversation: id, account: account, seenNumber: read, seen: now,
        unread: unread, notice: nil), in: writer)
    if unread == 0 {
      try ChatNotices(newIdentifier: context.newIdentifier, now: now)
        .end(of: account, conversation: id, patient: patient, in: writer)
    }
    return true
  }

  // MARK: Taking back

  /// Withdraws a message that the actor sent: its text and photo are deleted, and an empty message
  /// remains.
  ///
  /// Withdrawing it again changes nothing.
  ///
  /// - Throws: ``ChatError/notFound`` if there is no such message in the conversation, and
  ///   ``ChatError/notAllowed`` if someone else sent it.
  package func withdraw(
    _ message: MessageID, in conversation: ConversationID, _ writer: any SQLWriter
  ) throws {
    guard let conversation = try reader.conversation(conversation, in: writer),
      let found = try rows.message(message, in: writer), found.conversation == conversation.id
    else { throw ChatError.notFound }
    try authorize(.delete, conversation.patient)
    guard found.sender == context.actor.accountID else { throw ChatError.notAllowed }
    guard found.withdrawn == nil else { return }
    try ChatStore.withdraw(found, at: now, in: writer)
    let notices = ChatNotices(newIdentifier: context.newIdentifier, now: now)
    for row in try ChatStore.uncount(found, member: conversation.member, in: writer)
    where row.unread == 0 {
      try notices.end(
        of: row.account, conversation: conversation.id, patient: conversation.patient, in: writer)
    }
    audit(.delete, found, in: writer)
  }

  private func audit(
    _ kind: AuditEntry.Kind, _ message: ChatMessage, in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: context.actor.accountID, kind: kind, patient: message.patient,
        resource: "Communication", resourceID: message.id.text, purpose: context.purpose.rawValue))
  }
}

/// The messages that an account sent within a day and within a minute, and its photos within a day.
enum SentCountRow: SQLRowType {
  enum Column: Int, SQLColumn { case day, minute, photos }

  static let columns = SQLColumns<Column>()
}
