// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Secrecy
import Storage

/// A text that is said back to a number or a chat.
package struct ReplyText: Sendable, Unprintable {
  /// The identifier, the same for every attempt.
  package let id: String
  /// The chat service with a colon; empty for a phone number.
  package let service: String
  /// The number or the chat.
  package let to: String
  /// The words.
  package let words: String

  /// Creates a text.
  package init(id: String, service: String = "", to: String, words: String) {
    self.id = id
    self.service = service
    self.to = to
    self.words = words
  }

  fileprivate func sealed(_ cipher: FieldCipher) throws(StorageError) -> [UInt8] {
    let json: JSONValue = [
      "service": .string(service), "to": .string(to), "words": .string(words),
    ]
    return try cipher.seal(
      String(decoding: json.bytes, as: UTF8.self), context: "reply_texts:\(id):text")
  }

  fileprivate init(
    id: String, sealed: [UInt8], cipher: FieldCipher
  ) throws(StorageError) {
    let text = try cipher.open(sealed, context: "reply_texts:\(id):text")
    guard let json = try? JSONValue(parsing: Array(text.utf8)), let to = json["to"]?.string,
      let words = json["words"]?.string
    else { throw .decryptionFailed }
    self.init(id: id, service: json["service"]?.string ?? "", to: to, words: words)
  }
}

/// The queue of texts that are said back, each sent at least once.
package enum ReplyTexts {
  /// The time after which an answer is no longer worth sending, in milliseconds.
  private static let lifetime: Int64 = 60 * 60_000
  /// The time between the first attempts, in milliseconds; it doubles with each.
  private static let pause: Int64 = 30_000
  private static let atOnce = 20

  /// Queues a text.
  package static func queue(
    _ text: ReplyText, account: AccountID, cipher: FieldCipher, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO reply_texts (reply_text, account, text_sealed, next_try, attempt, expires)
      VALUES ($1, $2, $3, $4, 0, $5)
      """,
      [
        .text(text.id), .text(account), .blob(try text.sealed(cipher)), SQLValue(now),
        SQLValue(now.adding(milliseconds: lifetime)),
      ])
  }

  /// Returns true if a text waits to be sent now.
  package static func isWaiting(
    at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      "SELECT attempt FROM reply_texts WHERE next_try <= $1 LIMIT 1", [SQLValue(now)]) != nil
  }

  /// Leases the texts to send now until their next attempt, and deletes those that came to nothing.
  package static func claim(
    cipher: FieldCipher, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> [ReplyText] {
    try writer.execute(
      "DELETE FROM reply_texts WHERE next_try <= $1 AND expires <= $1", [SQLValue(now)])
    var texts: [ReplyText] = []
    for row in try writer.query(claimStatement, [SQLValue(now), SQLValue(atOnce)]) {
      let row = row.read(ReplyTextRow.self)
      let id = try row.text(.replyText)
      let attempt = try row.integer(.attempt)
      texts.append(
        try ReplyText(id: id, sealed: try row.blob(.textSealed), cipher: cipher))
      try writer.execute(
        "UPDATE reply_texts SET next_try = $1, attempt = $2 WHERE reply_text = $3",
        [
          SQLValue(now.adding(milliseconds: pause << min(attempt, 6))), .integer(attempt + 1),
          .text(id),
        ])
    }
    return texts
  }

  private static let claimStatement = SQLStatement(
    """
    SELECT \(ReplyTextRow.columns) FROM reply_texts x WHERE x.next_try <= $1
    ORDER BY x.next_try, x.reply_text LIMIT $2
    """)

  /// Deletes a text that was sent, or that can't be.
  package static func remove(_ id: String, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM reply_texts WHERE reply_text = $1", [.text(id)])
  }
}

/// A queued text, sealed.
enum ReplyTextRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case replyText, textSealed, attempt
  }

  static let columns = SQLColumns<Column>(of: "x")
}
