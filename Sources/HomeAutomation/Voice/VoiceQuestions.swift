// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// The rows of `voice_questions`: what was read out, and which doses a yes logs.
///
/// A question is answered once, by the account that asked, within ``milliseconds``.
package enum VoiceQuestions {
  /// The prefix of the secrets that confirm.
  package static let prefix = "rgv_"
  /// The time for the answer, in milliseconds.
  package static let milliseconds: Int64 = 120_000
  /// The most open questions of a person.
  static let most = 20

  /// Keeps a question and returns when it ends; nil if the person has too many open ones.
  package static func ask(
    _ secret: Secret, about doses: [VoiceDay.Due], of patient: PatientID, account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Timestamp? {
    try writer.execute("DELETE FROM voice_questions WHERE expires <= $1", [SQLValue(now)])
    let count = try writer.first(
      "SELECT COUNT(*) FROM voice_questions WHERE patient = $1", [.text(patient)]
    )?.value(as: Int.self)
    guard count ?? 0 < most else { return nil }
    let expires = now.adding(milliseconds: milliseconds)
    try writer.execute(
      """
      INSERT INTO voice_questions (patient, question_hash, account, doses, expires)
      VALUES ($1, $2, $3, $4, $5)
      """,
      [
        .text(patient), .blob(secret.digest), .text(account),
        .text(doses.map(\.key).joined(separator: "\n")), SQLValue(expires),
      ])
    return expires
  }

  /// Takes an open question away and returns the doses that it was about, each with its version; nil if there is
  /// none.
  package static func take(
    _ secret: Secret, of patient: PatientID, account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Set<String>? {
    guard secret.text.hasPrefix(prefix), secret.text.utf8.count < 100 else { return nil }
    let doses = try writer.first(
      """
      SELECT doses FROM voice_questions
      WHERE patient = $1 AND question_hash = $2 AND account = $3 AND expires > $4
      """, [.text(patient), .blob(secret.digest), .text(account), SQLValue(now)]
    )?.value(as: String.self)
    guard let doses else { return nil }
    try writer.execute(
      "DELETE FROM voice_questions WHERE patient = $1 AND question_hash = $2",
      [.text(patient), .blob(secret.digest)])
    return Set(doses.split(separator: "\n").map(String.init))
  }
}
