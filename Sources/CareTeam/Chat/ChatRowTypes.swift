// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

// MARK: Rows as they are read

/// A row of `chat_messages` as it is read.
enum ChatMessageRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case message, patient, conversation, number, event, sender, side, role, sent, written
    case bodySealed, hasPhoto, linkKind, link, withdrawn
  }

  static let columns = SQLColumns<Column>()
}

/// A message past its retention time.
enum OldMessageRow: SQLRowType {
  enum Column: Int, SQLColumn { case patient, conversation, number, message }

  static let columns = SQLColumns<Column>()
}

/// A message that arrived or was withdrawn, with the time.
struct ChangedMessageRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case message, changed }

  static let columns = SQLColumns<Column>()

  let message: MessageID
  let changed: Timestamp

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    message = try row.id(.message)
    changed = try row.timestamp(.changed)
  }
}

/// A row of `chat_conversations` as it is read.
enum ConversationRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, conversation, member, memberName, relationship, lastNumber, lastAt
  }

  static let columns = SQLColumns<Column>()
}

/// The last message that an account has read, and its unread count.
struct ReadStateRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case seenNumber, unread }

  static let columns = SQLColumns<Column>()

  let seenNumber: Int64
  let unread: Int64

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    seenNumber = try row.integer(.seenNumber)
    unread = try row.integer(.unread)
  }
}

/// The last message that an account has read, with the time.
enum SeenRow: SQLRowType {
  enum Column: Int, SQLColumn { case account, seenNumber, seen }

  static let columns = SQLColumns<Column>()
}

/// An account's unread count in a conversation.
struct UnreadConversationRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case conversation, unread }

  static let columns = SQLColumns<Column>()

  let conversation: ConversationID
  let unread: Int

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    conversation = try row.id(.conversation)
    unread = Int(clamping: try row.integer(.unread))
  }
}

/// An account with its unread count.
struct UnreadAccountRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case account, unread }

  static let columns = SQLColumns<Column>()

  let account: AccountID
  let unread: Int64

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    account = try row.id(.account)
    unread = try row.integer(.unread)
  }
}

// MARK: Rows as they are written

/// A row of `chat_conversations` when a message is sent in it.
struct NewConversationRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, conversation, member, memberName, relationship, created, lastNumber, lastAt
  }

  static let columns = SQLColumns<Column>()

  let conversation: Conversation
  let lastNumber: Int64
  let sent: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(conversation.patient)
    case .conversation: .text(conversation.id)
    case .member: .text(conversation.member)
    case .memberName: .text(conversation.memberName)
    case .relationship: .text(conversation.relationship.rawValue)
    case .created, .lastAt: SQLValue(sent)
    case .lastNumber: .integer(lastNumber)
    }
  }
}

/// A new row of `chat_messages`.
struct NewChatMessageRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, conversation, number, message, event, sender, side, role, sent, written
    case bodySealed, hasPhoto, linkKind, link, withdrawn, changed
  }

  static let columns = SQLColumns<Column>()

  let message: ChatMessage
  let bodySealed: [UInt8]

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(message.patient)
    case .conversation: .text(message.conversation)
    case .number: .integer(message.number)
    case .message: .text(message.id)
    case .event: .text(message.event)
    case .sender: .text(message.sender)
    case .side: .text(message.side.rawValue)
    case .role: .text(message.role.rawValue)
    case .sent, .changed: SQLValue(message.sent)
    case .written: SQLValue(message.written)
    case .bodySealed: .blob(bodySealed)
    case .hasPhoto: SQLValue(message.hasPhoto)
    case .linkKind: .text(message.link?.kind ?? "")
    case .link: .text(message.link?.target ?? "")
    case .withdrawn: .null
    }
  }
}

/// A row of `chat_photos`.
struct NewChatPhotoRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case patient, message, width, height, bytesSealed }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let message: MessageID
  let width: Int
  let height: Int
  let bytesSealed: [UInt8]

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .message: .text(message)
    case .width: SQLValue(width)
    case .height: SQLValue(height)
    case .bytesSealed: .blob(bytesSealed)
    }
  }
}

/// A row of `chat_members`.
struct ChatMemberRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, conversation, account, seenNumber, seen, unread, notice
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let conversation: ConversationID
  let account: AccountID
  let seenNumber: Int64
  let seen: Timestamp?
  let unread: Int64
  let notice: ReminderID?

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .conversation: .text(conversation)
    case .account: .text(account)
    case .seenNumber: .integer(seenNumber)
    case .seen: SQLValue(seen)
    case .unread: .integer(unread)
    case .notice: SQLValue(notice)
    }
  }
}
