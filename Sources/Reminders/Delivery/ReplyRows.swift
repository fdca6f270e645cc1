// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Localization
import Plans
import Storage

/// An address of a person whose number sent a message.
package struct ReplySender: SQLReadableRow, Sendable, Hashable {
  /// The columns that are read.
  package enum Column: Int, SQLColumn {
    case address, account, stopped
  }

  /// The columns in statements.
  package static let columns = SQLColumns<Column>(of: "s")

  /// The identifier of the address.
  package let address: String
  /// The account that it belongs to.
  package let account: AccountID
  /// True if the number asked for no more messages.
  package let isStopped: Bool

  /// Reads a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    address = try columns.text(.address)
    account = try columns.id(.account)
    isStopped = try columns.optionalTimestamp(.stopped) != nil
  }
}

/// The question that the last message of a number left open.
package struct ReplyTalk: SQLReadableRow, Sendable, Hashable {
  /// The columns that are read.
  package enum Column: Int, SQLColumn {
    case misread, action, listed
  }

  /// The columns in statements.
  package static let columns = SQLColumns<Column>(of: "t")

  /// The number of messages in a row that said nothing.
  package var misread = 0
  /// The answer that waits for the number of a reminder; nil if none does.
  package var action: AnswerAction?
  /// The reminders as they were numbered from 1.
  package var listed: [ReminderID] = []

  /// Creates a state in which nothing is open.
  package init() {}

  /// Reads a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    misread = Int(clamping: try columns.integer(.misread))
    action = try columns.optionalText(.action).flatMap { AnswerAction(rawValue: $0) }
    listed = (try columns.optionalText(.listed) ?? "").split(separator: "\n")
      .map { ReminderID(String($0)) }
  }
}

/// A reminder that a number may answer, with its languages and zone.
struct ReplyOfferRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, delivery, subject, account, doses, accountLanguage, patientLanguage, zone
  }

  static let columns = SQLColumns<Column>(
    of: "o",
    [
      .accountLanguage: "a.language", .patientLanguage: "u.language", .zone: "u.zone",
    ])
  static let tables: SQLText = """
    reply_offers o
    JOIN reminders r ON r.patient = o.patient AND r.subject = o.subject
    JOIN accounts a ON a.account = o.account
    LEFT JOIN people u ON u.patient = o.patient
    """

  let patient: PatientID
  let delivery: DeliveryID
  let subject: ReminderID
  let recipient: AccountID
  let doses: Set<String>
  let language: Language
  let zone: String?

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    delivery = try columns.id(.delivery)
    subject = try columns.id(.subject)
    recipient = try columns.id(.account)
    doses = Set(try columns.text(.doses).split(separator: "\n").map(String.init))
    let own = try columns.optionalText(.accountLanguage).flatMap { Language(tag: $0) }
    let other = try columns.optionalText(.patientLanguage).flatMap { Language(tag: $0) }
    language = own ?? other ?? .en
    zone = try columns.optionalText(.zone)
  }
}
