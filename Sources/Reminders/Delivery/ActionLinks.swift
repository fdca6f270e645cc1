// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import Identifiers
import Localization
import Plans
import Scheduling
import Storage
import TimeZones

/// The links in a mail or a notification: each gives one answer to the reminder, without a sign-in.
package struct ReminderLinks: Sendable, Hashable {
  /// One link for each answer, in the order in which they are offered; empty if none is offered.
  package var answers: [ActionLinks.Choice] = []
  /// The secret of the link that turns mail reminders off; nil for other channels.
  package var silence: Secret?
  /// The secret of the link that confirms a test; nil for other messages.
  package var proof: Secret?
  /// The code that confirms a test when it is typed, for phones that open no links; nil for other
  /// messages.
  package var code: String?

  /// Creates an empty set of links.
  package init() {}
}

/// The answer that a link gives.
package enum LinkAnswer: Sendable, Hashable {
  case dose(AnswerAction)
  /// Answers an alert; `minutes` is the length of "later".
  case alert(AlertAnswer.Action, minutes: Int? = nil)

  /// The stored form.
  var word: String {
    switch self {
    case .dose(let action): action.rawValue
    case .alert(let action, _): action.rawValue
    }
  }
}

/// The links that answer reminders: created when a delivery is claimed, found by the digest of
/// their secret.
package enum ActionLinks {
  /// An answer with the secret that gives it.
  package struct Choice: Sendable, Hashable {
    /// The answer that the link gives.
    package let answer: LinkAnswer
    /// The secret in the address of the link.
    package let secret: Secret
  }

  /// The subject of a delivery's links: the doses that it names, or an alert.
  struct Offer: Sendable {
    /// The identifiers of the doses or of the alert.
    let named: String
    let expires: Timestamp?
    /// The answers in the order in which they are offered.
    let answers: [LinkAnswer]

    static func doses(_ doses: [RingingDose], generation: Int64) -> Offer {
      // Each "later" starts a generation. After three, the app asks for a reason, which a link cannot.
      let mayWait = generation <= Int64(LaterChoices.timesWithoutReason)
      let offered: [AnswerAction] = mayWait ? [.taken, .later, .skipped] : [.taken, .skipped]
      return Offer(
        named: doses.map(\.key.text).joined(separator: "\n"),
        expires: doses.map(\.lateUntil).max(), answers: offered.map { .dose($0) })
    }

    static func alert(_ alert: WaitingAlert, at now: Timestamp) -> Offer {
      var answers = [LinkAnswer.alert(.done)]
      if let minutes = alert.later(at: now) {
        answers.append(.alert(.later, minutes: minutes))
      }
      answers.append(.alert(.declined))
      return Offer(named: alert.id.text, expires: alert.ends, answers: answers)
    }
  }

  /// The prefix of every link's secret.
  package static let prefix = "rga_"
  /// The minutes by which "later" postpones a dose; a dose that cannot be postponed so long stays
  /// as it is.
  package static let laterMinutes = 10

  /// Stores the links of a delivery for what it currently names, and returns their secrets.
  ///
  /// A secret is derived from the delivery's id with a key outside the database, so that a repeated delivery
  /// carries the same links.
  static func keep(
    _ delivery: DeliveryID, patient: PatientID, recipient: AccountID, _ offer: Offer,
    cipher: FieldCipher,
    in writer: any SQLWriter
  ) throws(StorageError) -> [Choice] {
    guard let expires = offer.expires else { return [] }
    var choices: [Choice] = []
    for answer in offer.answers {
      let code = cipher.blindIndex("\(delivery):\(answer.word)", context: "action_links:secret")
      let secret = Secret(text: prefix + Base64URL.encode(code))
      let row = NewActionLinkRow(
        patient: patient, linkHash: secret.digest, delivery: delivery, recipient: recipient,
        action: answer.word, doses: offer.named, expires: expires)
      try writer.execute(insertStatement, row.values)
      choices.append(Choice(answer: answer, secret: secret))
    }
    return choices
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO action_links (\(NewActionLinkRow.columns))
    VALUES (\(NewActionLinkRow.placeholders))
    ON CONFLICT (patient, link_hash) DO UPDATE SET doses = excluded.doses,
      expires = excluded.expires
    """)

  /// Marks a link as used.
  package static func use(_ secret: Secret, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      "UPDATE action_links SET used = $1 WHERE link_hash = $2 AND used IS NULL",
      [SQLValue(now), .blob(secret.digest)])
  }

  /// Deletes links that can no longer answer anything.
  static func forget(before now: Timestamp, limit: Int, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      DELETE FROM action_links WHERE (patient, link_hash) IN (
        SELECT patient, link_hash FROM action_links WHERE expires < $1
        ORDER BY expires LIMIT $2)
      """, [SQLValue(now), SQLValue(limit)])
  }
}
