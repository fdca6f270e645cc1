// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage

/// A page of a conversation.
package struct ChatPage: Sendable, Hashable {
  /// The messages, the earliest first.
  package let messages: [ChatMessage]
  /// True if there are earlier messages than those of the page.
  package let hasEarlier: Bool
  /// The latest message that the other side has read; nil if it has read none.
  package let seen: Seen?
  /// True if the reader has not yet read up to the latest message.
  package let isNews: Bool

  /// The latest message that a side has read, and the time.
  package struct Seen: Sendable, Hashable {
    /// The number of the message.
    package let number: Int64
    /// The time when the first member of that side had read up to it.
    package let at: Timestamp
  }
}

/// The result of a search in a conversation.
package struct ChatFinds: Sendable, Hashable {
  /// The messages found, the latest first.
  package let messages: [ChatMessage]
  /// True if older messages were not searched, or if more were found than are returned.
  package let isCut: Bool
}

extension ChatReader {
  /// The number of messages on a page.
  package static let pageLength = 50
  /// The number of latest messages that a search decrypts.
  package static let mostSearched = 2_000
  /// The most messages that a search returns.
  package static let mostFound = 50

  /// Returns the messages before a number, or the latest ones if it is nil.
  package func page(
    of conversation: Conversation, before number: Int64? = nil, limit: Int = pageLength,
    in reader: any SQLReader
  ) throws -> ChatPage {
    let found = try rows.messages(
      conversation.id, patient: conversation.patient, before: number ?? .max, limit: limit + 1,
      in: reader)
    return ChatPage(
      messages: Array(found.suffix(limit)), hasEarlier: found.count > limit,
      seen: try seen(conversation, in: reader), isNews: try isNews(conversation, in: reader))
  }

  private func isNews(_ conversation: Conversation, in reader: any SQLReader) throws -> Bool {
    guard conversation.lastNumber > 0 else { return false }
    let state = try reader.first(
      Self.readStateStatement,
      [.text(conversation.patient), .text(conversation.id), .text(actor.accountID)]
    )?.decode(as: ReadStateRow.self)
    guard let state else { return true }
    return state.seenNumber < conversation.lastNumber || state.unread > 0
  }

  static let readStateStatement = SQLStatement(
    """
    SELECT \(ReadStateRow.columns) FROM chat_members
    WHERE patient = $1 AND conversation = $2 AND account = $3
    """)

  /// Returns how far the other side has read; on the patient's side, the member who read furthest counts.
  private func seen(
    _ conversation: Conversation, in reader: any SQLReader
  ) throws -> ChatPage.Seen? {
    let rows = try reader.query(
      Self.seenStatement, [.text(conversation.patient), .text(conversation.id)])
    let others = try rows.map { $0.read(SeenRow.self) }.filter { row in
      let account: AccountID = try row.id(.account)
      return (account == conversation.member) == (conversation.standing.side == .patient)
    }
    .map { ChatPage.Seen(number: try $0.integer(.seenNumber), at: try $0.timestamp(.seen)) }
    // Among those who read equally far, the first one counts.
    return others.max { ($0.number, $1.at) < ($1.number, $0.at) }
  }

  private static let seenStatement = SQLStatement(
    """
    SELECT \(SeenRow.columns) FROM chat_members
    WHERE patient = $1 AND conversation = $2 AND seen IS NOT NULL
    """)

  /// Returns the messages that contain all of some words, ignoring case and accents.
  ///
  /// Messages are encrypted, so each one is decrypted for the search; there is no index.
  package func search(
    _ words: String, in conversation: Conversation, _ reader: any SQLReader
  ) throws -> ChatFinds {
    let wanted = ChatText.folded(words).split(whereSeparator: \.isWhitespace)
    guard !wanted.isEmpty else { return ChatFinds(messages: [], isCut: false) }
    var found: [ChatMessage] = []
    var place = Int64.max
    var looked = 0
    while looked < Self.mostSearched {
      let part = try rows.messages(
        conversation.id, patient: conversation.patient, before: place, limit: 200, in: reader)
      guard let first = part.first else { return ChatFinds(messages: found, isCut: false) }
      for message in part.reversed() where message.withdrawn == nil {
        let text = ChatText.folded(message.text)
        guard wanted.allSatisfy({ text.contains($0) }) else { continue }
        if found.count == Self.mostFound { return ChatFinds(messages: found, isCut: true) }
        found.append(message)
      }
      place = first.number
      looked += part.count
    }
    return ChatFinds(messages: found, isCut: place > 1)
  }

  /// Returns the image file of a message's photo; nil if the conversation has no such message, or
  /// it has no photo.
  package func photo(
    _ message: MessageID, in conversation: Conversation, _ reader: any SQLReader
  ) throws -> [UInt8]? {
    let found = try rows.message(message, in: reader)
    guard found?.conversation == conversation.id, found?.patient == conversation.patient else {
      return nil
    }
    return try rows.photo(message, patient: conversation.patient, in: reader)
  }

  // MARK: Live

  /// Returns the identifiers of messages that arrived or were withdrawn after a time, the earliest
  /// first.
  ///
  /// - Parameter member: The account whose conversation with the patient is meant; nil for all
  ///   conversations.
  package static func changed(
    after: Timestamp, patient: PatientID, member: AccountID?, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [(id: MessageID, changed: Timestamp)] {
    let conversation =
      member.map { Conversation.id(patient: patient, member: $0) } ?? ConversationID("")
    return try reader.query(
      changedStatement, [.text(patient), SQLValue(after), .text(conversation), SQLValue(limit)]
    ).decode(as: ChangedMessageRow.self).map { ($0.message, $0.changed) }
  }

  private static let changedStatement = SQLStatement(
    """
    SELECT \(ChangedMessageRow.columns) FROM chat_messages
    WHERE patient = $1 AND changed > $2 AND ($3 = '' OR conversation = $3)
    ORDER BY changed, message LIMIT $4
    """)
}

// MARK: The whole of it

/// All messages of a patient, for a copy of everything; the caller has decided that it may be made.
package enum ChatCopy {
  /// A position among a patient's messages, which are ordered by conversation and number.
  package typealias Place = (conversation: ConversationID, number: Int64)
  /// The position before the first message.
  package static let start: Place = (ConversationID(""), 0)

  /// Returns at most `limit` messages after a position; empty at the end.
  package static func messages(
    of patient: PatientID, after place: Place, limit: Int, accounts: AccountStore,
    in reader: any SQLReader
  ) throws -> [ChatMessage] {
    try ChatRows(cipher: accounts.cipher).all(
      of: patient, after: place, limit: limit, in: reader)
  }

  /// Returns the image file of a message's photo; nil if it has none.
  package static func photo(
    _ message: MessageID, patient: PatientID, accounts: AccountStore, in reader: any SQLReader
  ) throws -> [UInt8]? {
    try ChatRows(cipher: accounts.cipher).photo(message, patient: patient, in: reader)
  }
}

/// Deletes messages after their retention time.
package enum ChatRetention {
  /// Deletes messages sent before a time, at most `limit`, and returns the number of deleted ones.
  package static func forget(
    before: Timestamp, limit: Int, in writer: any SQLWriter
  ) throws -> Int {
    try ChatStore.forget(before: before, limit: limit, in: writer)
  }
}
