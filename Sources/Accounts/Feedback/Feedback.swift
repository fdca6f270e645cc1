// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// What somebody wrote to the operator, until a mail program has taken it.
package struct Feedback: Sendable, Hashable {
  package let id: String
  package let text: String
  /// How often it was tried to send it.
  package let attempts: Int
  package let created: Timestamp
}

extension AccountStore {
  /// So much of one account may wait.
  package static let mostFeedback = 20
  private static func feedbackContext(_ id: String) -> String { "feedback:\(id):text" }

  /// Keeps a text to be sent; false where too much of the account waits already.
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

  /// Takes what is to be sent now, the oldest first, and holds it so long that no other node sends it too.
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

  /// It went out: nothing of it stays here.
  package func feedbackWent(_ id: String, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM feedback WHERE feedback = $1", [.text(id)])
  }

  /// It did not: it is tried again then.
  package func feedbackWaits(
    _ id: String, until next: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE feedback SET next_try = $1 WHERE feedback = $2", [SQLValue(next), .text(id)])
  }

  /// The sign-in addresses of those who run the installation; numbers among them get no mail.
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
