// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The tables of conversations, their members, messages and photos.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
enum ChatStore {
  // MARK: Messages

  /// Stores the number and time of the latest message; creates the conversation with its first one.
  static func save(_ row: NewConversationRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(saveConversation, row.values)
  }

  private static let saveConversation = SQLStatement(
    """
    INSERT INTO chat_conversations (\(NewConversationRow.columns))
    VALUES (\(NewConversationRow.placeholders))
    ON CONFLICT (patient, conversation) DO UPDATE SET member_name = excluded.member_name,
      relationship = excluded.relationship, last_number = excluded.last_number,
      last_at = excluded.last_at
    """)

  static func insert(_ row: NewChatMessageRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertMessage, row.values)
  }

  private static let insertMessage = SQLStatement(
    """
    INSERT INTO chat_messages (\(NewChatMessageRow.columns))
    VALUES (\(NewChatMessageRow.placeholders))
    """)

  static func insert(_ row: NewChatPhotoRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertPhoto, row.values)
  }

  private static let insertPhoto = SQLStatement(
    "INSERT INTO chat_photos (\(NewChatPhotoRow.columns)) VALUES (\(NewChatPhotoRow.placeholders))")

  /// Deletes the text and the photo of a message, and keeps an empty row.
  static func withdraw(
    _ message: ChatMessage, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE chat_messages SET body_sealed = NULL, has_photo = 0, link_kind = '', link = '',
        withdrawn = $1, changed = $1
      WHERE patient = $2 AND conversation = $3 AND number = $4
      """,
      [
        SQLValue(now), .text(message.patient), .text(message.conversation),
        .integer(message.number),
      ])
    try writer.execute(
      "DELETE FROM chat_photos WHERE patient = $1 AND message = $2",
      [.text(message.patient), .text(message.id)])
  }

  /// Deletes at most `limit` messages older than an instant, and returns their number.
  static func forget(
    before: Timestamp, limit: Int, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    let rows = try writer.query(oldMessages, [SQLValue(before), SQLValue(limit)])
    for row in rows {
      let row = row.read(OldMessageRow.self)
      try writer.execute(
        "DELETE FROM chat_photos WHERE patient = $1 AND message = $2",
        [row[.patient], row[.message]])
      try writer.execute(
        "DELETE FROM chat_messages WHERE patient = $1 AND conversation = $2 AND number = $3",
        [row[.patient], row[.conversation], row[.number]])
      // A conversation without messages has nothing unread.
      try writer.execute(
        """
        UPDATE chat_members SET unread = 0
        WHERE patient = $1 AND conversation = $2 AND unread > 0 AND NOT EXISTS (
          SELECT 1 FROM chat_messages m WHERE m.patient = chat_members.patient
            AND m.conversation = chat_members.conversation)
        """, [row[.patient], row[.conversation]])
    }
    return rows.count
  }

  private static let oldMessages = SQLStatement(
    """
    SELECT \(OldMessageRow.columns) FROM chat_messages WHERE sent < $1
    ORDER BY sent LIMIT $2
    """)

  // MARK: Members

  /// Stores the last message that an account has read, which never goes back, and its unread count.
  static func markRead(_ row: ChatMemberRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(markReadStatement, row.values)
  }

  private static let markReadStatement = SQLStatement(
    """
    INSERT INTO chat_members (\(ChatMemberRow.columns)) VALUES (\(ChatMemberRow.placeholders))
    ON CONFLICT (patient, conversation, account) DO UPDATE SET
      seen = CASE WHEN chat_members.seen_number < excluded.seen_number OR chat_members.seen IS NULL
        THEN excluded.seen ELSE chat_members.seen END,
      seen_number = CASE WHEN chat_members.seen_number < excluded.seen_number
        THEN excluded.seen_number ELSE chat_members.seen_number END,
      unread = excluded.unread
    """)

  /// Adds one to the unread count of an account and stores the notice that announces it.
  static func countUnread(
    of account: AccountID, _ message: ChatMessage, notice: ReminderID?, in writer: any SQLWriter
  ) throws(StorageError) {
    let row = ChatMemberRow(
      patient: message.patient, conversation: message.conversation, account: account,
      seenNumber: 0, seen: nil, unread: 1, notice: notice)
    try writer.execute(countUnreadStatement, row.values)
  }

  private static let countUnreadStatement = SQLStatement(
    """
    INSERT INTO chat_members (\(ChatMemberRow.columns)) VALUES (\(ChatMemberRow.placeholders))
    ON CONFLICT (patient, conversation, account) DO UPDATE SET
      unread = chat_members.unread + 1, notice = excluded.notice
    """)

  /// Takes a message off the unread counts of the accounts on the other side.
  ///
  /// - Parameter member: the account on the other side of the patient.
  /// - Returns: the accounts that had not read it, with their remaining counts.
  static func uncount(
    _ message: ChatMessage, member: AccountID, in writer: any SQLWriter
  ) throws(StorageError) -> [UnreadAccountRow] {
    try writer.query(
      uncountStatement,
      [
        .text(message.patient), .text(message.conversation), .integer(message.number),
        .text(member), .text(message.side.other.rawValue),
      ]
    ).decode()
  }

  private static let uncountStatement = SQLStatement(
    """
    UPDATE chat_members SET unread = unread - 1
    WHERE patient = $1 AND conversation = $2 AND seen_number < $3 AND unread > 0
      AND CASE WHEN account = $4 THEN 'member' ELSE 'patient' END = $5
    RETURNING \(UnreadAccountRow.columns)
    """)

  static func clearNotice(
    of account: AccountID, conversation: ConversationID, patient: PatientID,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE chat_members SET notice = NULL
      WHERE patient = $1 AND conversation = $2 AND account = $3
      """, [.text(patient), .text(conversation), .text(account)])
  }
}
