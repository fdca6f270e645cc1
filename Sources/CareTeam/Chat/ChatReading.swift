// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage

/// A page of a conversation, the earliest message first.
package struct ChatPage: Sendable, Hashable {
  package let messages: [ChatMessage]
  /// Whether there are earlier ones.
  package let hasEarlier: Bool
  /// How far the other side has read, and when it had come so far; nil where it read nothing.
  package let seen: Seen?
  /// Whether the reader has not read as far as the conversation goes.
  package let isNews: Bool

  package struct Seen: Sendable, Hashable {
    package let number: Int64
    package let at: Timestamp
  }
}

/// What a search found.
package struct ChatFinds: Sendable, Hashable {
  /// The latest first.
  package let messages: [ChatMessage]
  /// Whether older messages were not looked at, or more was found than is shown.
  package let isCut: Bool
}

extension ChatReader {
  /// How many messages a page shows.
  package static let pageLength = 50
  /// How many of the latest messages a search opens, and how many it shows.
  package static let mostSearched = 2_000
  package static let mostFound = 50

  /// The messages before a number, or the latest ones.
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

  /// How far the other side has read: of the patient's side, whoever came farthest.
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
    // Of those who came as far, whoever was first.
    return others.max { ($0.number, $1.at) < ($1.number, $0.at) }
  }

  private static let seenStatement = SQLStatement(
    """
    SELECT \(SeenRow.columns) FROM chat_members
    WHERE patient = $1 AND conversation = $2 AND seen IS NOT NULL
    """)

  /// The messages with some words in them: each is opened for it and forgotten, no index is kept.
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

  /// The photo of a message of the conversation.
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

  /// The ids of messages that came or were taken back after an instant, with when; the earliest first.
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

/// A patient's messages for a copy of everything; the caller has decided that it may be made.
package enum ChatCopy {
  package typealias Place = (conversation: ConversationID, number: Int64)
  package static let start: Place = (ConversationID(""), 0)

  package static func messages(
    of patient: PatientID, after place: Place, limit: Int, accounts: AccountStore,
    in reader: any SQLReader
  ) throws -> [ChatMessage] {
    try ChatRows(cipher: accounts.cipher).all(
      of: patient, after: place, limit: limit, in: reader)
  }

  package static func photo(
    _ message: MessageID, patient: PatientID, accounts: AccountStore, in reader: any SQLReader
  ) throws -> [UInt8]? {
    try ChatRows(cipher: accounts.cipher).photo(message, patient: patient, in: reader)
  }
}

/// Forgets messages that are older than they are kept.
package enum ChatRetention {
  /// At most `limit`; returns how many went.
  package static func forget(
    before: Timestamp, limit: Int, in writer: any SQLWriter
  ) throws -> Int {
    try ChatStore.forget(before: before, limit: limit, in: writer)
  }
}
