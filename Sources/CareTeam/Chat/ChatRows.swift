// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import Identifiers
import Storage

/// The rows of `chat_messages` and `chat_photos`, decrypted and encrypted.
struct ChatRows: Sendable {
  let cipher: FieldCipher

  /// Returns a page of messages before a number, the earliest first.
  func messages(
    _ conversation: ConversationID, patient: PatientID, before number: Int64, limit: Int,
    in reader: any SQLReader
  ) throws -> [ChatMessage] {
    try read(
      reader.query(
        Self.pageStatement,
        [.text(patient), .text(conversation), .integer(number), SQLValue(limit)])
    ).reversed()
  }

  private static let pageStatement = SQLStatement(
    """
    SELECT \(ChatMessageRow.columns) FROM chat_messages
    WHERE patient = $1 AND conversation = $2 AND number < $3
    ORDER BY number DESC LIMIT $4
    """)

  /// Returns a message by its id, which includes its patient.
  func message(_ id: MessageID, in reader: any SQLReader) throws -> ChatMessage? {
    try read(reader.query(Self.oneStatement, [.text(id)])).first
  }

  private static let oneStatement = SQLStatement(
    "SELECT \(ChatMessageRow.columns) FROM chat_messages WHERE message = $1")

  /// Returns messages by their ids.
  func messages(_ ids: [MessageID], in reader: any SQLReader) throws -> [MessageID: ChatMessage] {
    guard !ids.isEmpty else { return [:] }
    let found = try read(
      reader.query(
        "SELECT \(ChatMessageRow.columns) FROM chat_messages WHERE message IN (", [],
        in: ids.map { .text($0) }))
    return Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the message that a sender already sent with an event; nil if it is new.
  func earlier(
    _ event: String, of sender: AccountID, _ conversation: ConversationID, patient: PatientID,
    in reader: any SQLReader
  ) throws -> ChatMessage? {
    try read(
      reader.query(
        Self.earlierStatement,
        [.text(patient), .text(conversation), .text(sender), .text(event)])
    ).first
  }

  private static let earlierStatement = SQLStatement(
    """
    SELECT \(ChatMessageRow.columns) FROM chat_messages
    WHERE patient = $1 AND conversation = $2 AND sender = $3 AND event = $4
    """)

  /// Returns all messages of a patient after a position, ordered by conversation and number.
  func all(
    of patient: PatientID, after place: (conversation: ConversationID, number: Int64), limit: Int,
    in reader: any SQLReader
  ) throws -> [ChatMessage] {
    try read(
      reader.query(
        Self.allStatement,
        [.text(patient), .text(place.conversation), .integer(place.number), SQLValue(limit)]))
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(ChatMessageRow.columns) FROM chat_messages
    WHERE patient = $1 AND (conversation, number) > ($2, $3)
    ORDER BY conversation, number LIMIT $4
    """)

  func insert(_ message: ChatMessage, in writer: any SQLWriter) throws {
    let body: JSONValue = ["name": .string(message.senderName), "text": .string(message.text)]
    try ChatStore.insert(
      NewChatMessageRow(
        message: message,
        bodySealed: try cipher.seal(body.text, context: Self.context(message.id.text))),
      in: writer)
  }

  // MARK: Photos

  func photo(_ message: MessageID, patient: PatientID, in reader: any SQLReader) throws -> [UInt8]?
  {
    let sealed: [UInt8]? = try reader.first(
      "SELECT bytes_sealed FROM chat_photos WHERE patient = $1 AND message = $2",
      [.text(patient), .text(message)])?.value()
    guard let sealed else { return nil }
    let text = try cipher.open(sealed, context: Self.photoContext(message.text))
    return Data(base64Encoded: text).map { Array($0) }
  }

  func insert(
    _ photo: ChatPhoto, of message: MessageID, patient: PatientID, in writer: any SQLWriter
  ) throws {
    // Fields are encrypted as text.
    let text = Data(photo.bytes).base64EncodedString()
    try ChatStore.insert(
      NewChatPhotoRow(
        patient: patient, message: message, width: photo.width, height: photo.height,
        bytesSealed: try cipher.seal(text, context: Self.photoContext(message.text))),
      in: writer)
  }

  // MARK: Reading

  private static func context(_ message: String) -> String { "chat_messages:\(message):body" }
  private static func photoContext(_ message: String) -> String { "chat_photos:\(message):bytes" }

  private func read(_ rows: [SQLRow]) throws -> [ChatMessage] {
    try rows.map { row in
      let row = row.read(ChatMessageRow.self)
      let id: MessageID = try row.id(.message)
      var (name, text) = ("", "")
      if let sealed = try row.optionalBlob(.bodySealed) {
        let body = try JSONValue(
          parsing: Array(try cipher.open(sealed, context: Self.context(id.text)).utf8))
        name = body["name"]?.string ?? ""
        text = body["text"]?.string ?? ""
      }
      return ChatMessage(
        id: id, conversation: try row.id(.conversation), patient: try row.id(.patient),
        number: try row.integer(.number), event: try row.text(.event),
        sender: try row.id(.sender), side: try row.named(.side), role: try row.named(.role),
        senderName: name, text: text, hasPhoto: try row.bool(.hasPhoto),
        link: ChatLink(kind: try row.text(.linkKind), target: try row.text(.link)),
        sent: try row.timestamp(.sent), written: try row.timestamp(.written),
        withdrawn: try row.optionalTimestamp(.withdrawn))
    }
  }
}
