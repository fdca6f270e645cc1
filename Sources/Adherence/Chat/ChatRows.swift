// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import Identifiers
import Storage

/// The rows of `chat_messages` and `chat_photos`, opened and sealed.
struct ChatRows: Sendable {
  let cipher: FieldCipher

  /// A page of messages before a number, the earliest first.
  func messages(
    _ conversation: ConversationID, patient: PatientID, before number: Int64, limit: Int,
    in reader: any SQLReader
  ) throws -> [ChatMessage] {
    try read(
      reader.query(
        """
        SELECT message, patient, conversation, number, event, sender, side, role, sent, written,
          body_sealed, has_photo, link_kind, link, withdrawn
        FROM chat_messages WHERE patient = $1 AND conversation = $2 AND number < $3
        ORDER BY number DESC LIMIT $4
        """, [.text(patient), .text(conversation), .integer(number), SQLValue(limit)])
    ).reversed()
  }

  /// A message by its id, with its patient in it.
  func message(_ id: MessageID, in reader: any SQLReader) throws -> ChatMessage? {
    try read(
      reader.query(
        """
        SELECT message, patient, conversation, number, event, sender, side, role, sent, written,
          body_sealed, has_photo, link_kind, link, withdrawn
        FROM chat_messages WHERE message = $1
        """, [.text(id)])
    ).first
  }

  /// Some messages by their ids.
  func messages(_ ids: [MessageID], in reader: any SQLReader) throws -> [MessageID: ChatMessage] {
    guard !ids.isEmpty else { return [:] }
    let found = try read(
      reader.query(
        """
        SELECT message, patient, conversation, number, event, sender, side, role, sent, written,
          body_sealed, has_photo, link_kind, link, withdrawn
        FROM chat_messages WHERE message IN (
        """, [], in: ids.map { .text($0) }))
    return Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// What a sender sent with an event; nil where it is new.
  func earlier(
    _ event: String, of sender: AccountID, _ conversation: ConversationID, patient: PatientID,
    in reader: any SQLReader
  ) throws -> ChatMessage? {
    try read(
      reader.query(
        """
        SELECT message, patient, conversation, number, event, sender, side, role, sent, written,
          body_sealed, has_photo, link_kind, link, withdrawn
        FROM chat_messages
        WHERE patient = $1 AND conversation = $2 AND sender = $3 AND event = $4
        """, [.text(patient), .text(conversation), .text(sender), .text(event)])
    ).first
  }

  /// All messages of a patient after a place, in the order of conversation and number.
  func all(
    of patient: PatientID, after place: (conversation: ConversationID, number: Int64), limit: Int,
    in reader: any SQLReader
  ) throws -> [ChatMessage] {
    try read(
      reader.query(
        """
        SELECT message, patient, conversation, number, event, sender, side, role, sent, written,
          body_sealed, has_photo, link_kind, link, withdrawn
        FROM chat_messages WHERE patient = $1 AND (conversation, number) > ($2, $3)
        ORDER BY conversation, number LIMIT $4
        """, [.text(patient), .text(place.conversation), .integer(place.number), SQLValue(limit)]))
  }

  func insert(_ message: ChatMessage, in writer: any SQLWriter) throws {
    let body: JSONValue = ["name": .string(message.senderName), "text": .string(message.text)]
    try writer.execute(
      """
      INSERT INTO chat_messages (patient, conversation, number, message, event, sender, side, role,
        sent, written, body_sealed, has_photo, link_kind, link, withdrawn, changed)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, NULL, $15)
      """,
      [
        .text(message.patient), .text(message.conversation), .integer(message.number),
        .text(message.id), .text(message.event), .text(message.sender),
        .text(message.side.rawValue), .text(message.role.rawValue), SQLValue(message.sent),
        SQLValue(message.written),
        .blob(try cipher.seal(body.text, context: Self.context(message.id.text))),
        SQLValue(message.hasPhoto), .text(message.link?.kind ?? ""),
        .text(message.link?.target ?? ""), SQLValue(message.sent),
      ])
  }

  // MARK: Photos

  func photo(_ message: MessageID, patient: PatientID, in reader: any SQLReader) throws -> [UInt8]?
  {
    let row = try reader.first(
      "SELECT bytes_sealed FROM chat_photos WHERE patient = $1 AND message = $2",
      [.text(patient), .text(message)])
    guard let row else { return nil }
    let text = try cipher.open(try row.blob(0), context: Self.photoContext(message.text))
    return Data(base64Encoded: text).map { Array($0) }
  }

  func insert(
    _ photo: ChatPhoto, of message: MessageID, patient: PatientID, in writer: any SQLWriter
  ) throws {
    // Fields are sealed as text.
    let text = Data(photo.bytes).base64EncodedString()
    try writer.execute(
      """
      INSERT INTO chat_photos (patient, message, width, height, bytes_sealed)
      VALUES ($1, $2, $3, $4, $5)
      """,
      [
        .text(patient), .text(message), SQLValue(photo.width), SQLValue(photo.height),
        .blob(try cipher.seal(text, context: Self.photoContext(message.text))),
      ])
  }

  // MARK: Reading

  private static func context(_ message: String) -> String { "chat_messages:\(message):body" }
  private static func photoContext(_ message: String) -> String { "chat_photos:\(message):bytes" }

  private func read(_ rows: [SQLRow]) throws -> [ChatMessage] {
    try rows.map { row in
      let id = try row.text(0)
      var (name, text) = ("", "")
      if let sealed = try row.optionalBlob(10) {
        let body = try JSONValue(
          parsing: Array(try cipher.open(sealed, context: Self.context(id)).utf8))
        name = body["name"]?.string ?? ""
        text = body["text"]?.string ?? ""
      }
      return ChatMessage(
        id: MessageID(id), conversation: try row.id(2), patient: try row.id(1),
        number: try row.integer(3), event: try row.text(4), sender: try row.id(5),
        side: try row.named(6), role: try row.named(7), senderName: name, text: text,
        hasPhoto: try row.bool(11),
        link: ChatLink(kind: try row.text(12), target: try row.text(13)),
        sent: try row.timestamp(8), written: try row.timestamp(9),
        withdrawn: try row.optionalTimestamp(14))
    }
  }
}
