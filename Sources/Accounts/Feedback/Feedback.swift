// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A text written to the operator, stored until a mail program has accepted it.
package struct Feedback: Sendable, Hashable {
  /// The identifier of the text.
  package let id: String
  /// The text, as it was typed.
  package let text: String
  /// The number of earlier attempts to send it.
  package let attempts: Int
  /// The time at which it was written.
  package let created: Timestamp
}

extension AccountStore {
  /// The maximum number of waiting texts of one account.
  package static let mostFeedback = 20
  private static func feedbackContext(_ id: String) -> String { "feedback:\(id):text" }

  /// Stores a text to be sent; returns false if ``mostFeedback`` of the account wait already.
  package func keepFeedback(
    _ text: String, id: String, by account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let waiting = try writer.first(
      "SELECT COUNT(*) FROM feedback WHERE account = $1", [.text(account)]
    )?.value(as: Int.self)
    guard waiting ?? 0 < Self.mostFeedback else { return false }
    try writer.execute(
      """
      INSERT INTO feedback (feedback, account, text_sealed, created, attempts, next_try)
      VALUES ($1, $2, $3, $4, 0, $5) ON CONFLICT (feedback) DO NOTHING
      """,
      [
        .text(id), .text(account), .blob(try cipher.seal(text, context: Self.feedbackContext(id))),
        SQLValue(now), SQLValue(now),
      ])
    return true
  }

  /// Returns the texts to send now, the oldest first, and reserves them for some milliseconds so that no
  /// other node sends them too.
  package func takeFeedback(
    _ limit: Int, at now: Timestamp, hold: Int64, in writer: any SQLWriter
  ) throws(StorageError) -> [Feedback] {
    let rows = try writer.query(Self.dueFeedbackStatement, [SQLValue(now), SQLValue(limit)])
    var taken: [Feedback] = []
    for row in rows {
      let row = row.read(FeedbackRow.self)
      let id = try row.text(.feedback)
      try writer.execute(
        "UPDATE feedback SET attempts = attempts + 1, next_try = $1 WHERE feedback = $2",
        [SQLValue(now.adding(milliseconds: hold)), .text(id)])
      taken.append(
        Feedback(
          id: id,
          text: try cipher.open(try row.blob(.textSealed), context: Self.feedbackContext(id)),
          attempts: Int(try row.integer(.attempts)), created: try row.timestamp(.created)))
    }
    return taken
  }

  private static let dueFeedbackStatement = SQLStatement(
    """
    SELECT \(FeedbackRow.columns) FROM feedback WHERE next_try <= $1
    ORDER BY next_try, feedback LIMIT $2
    """)

  /// Deletes a text that was sent.
  package func feedbackWent(_ id: String, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM feedback WHERE feedback = $1", [.text(id)])
  }

  /// Sets the time of the next attempt for a text that was not sent.
  package func feedbackWaits(
    _ id: String, until next: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE feedback SET next_try = $1 WHERE feedback = $2", [SQLValue(next), .text(id)])
  }

  /// Returns the sign-in addresses of administrators, including phone numbers, which get no mail.
  package func administratorsAddresses(in reader: any SQLReader) throws(StorageError) -> [String] {
    try reader.query(Self.administratorsAddressesStatement, []).decode(as: SealedAddressRow.self)
      .map { row throws(StorageError) in try email(sealed: row.emailSealed, of: row.account) }
  }

  private static let administratorsAddressesStatement = SQLStatement(
    "SELECT \(SealedAddressRow.columns) FROM accounts WHERE administrator = 1 ORDER BY account")
}

enum FeedbackRow: SQLRowType {
  enum Column: Int, SQLColumn { case feedback, textSealed, attempts, created }

  static let columns = SQLColumns<Column>()
}
