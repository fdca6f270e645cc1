// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import People
import Scheduling
import Storage
import Supply

/// A message as it is shown, with the names of its people and medicine.
package struct ShownCaregiverMessage: Sendable, Hashable {
  /// The message.
  package let notice: CaregiverMessage
  /// The patient's name; on the patient's own page, the recipient's.
  package let name: String
  /// The name of the medicine; nil if it is not shared, or if the message is not about one.
  package var medicine: String?
  /// The recipients who take care of it, in the order in which they said so; empty if no one does.
  package var taken: [Taken] = []

  /// A recipient who takes care of it.
  package struct Taken: Sendable, Hashable {
    /// The recipient's displayed name.
    package let name: String
    /// The time when they said so.
    package let at: Timestamp

    /// Creates an entry.
    package init(name: String, at: Timestamp) {
      self.name = name
      self.at = at
    }
  }

  /// Creates a shown message that no one takes care of.
  package init(notice: CaregiverMessage, name: String, medicine: String? = nil) {
    self.notice = notice
    self.name = name
    self.medicine = medicine
  }
}

/// Queries on the messages about patients.
package enum CaregiverMessageQueries {
  /// The maximum number of messages in a list.
  package static let most = 200

  /// Returns an account's messages, the latest first, without those about data that are no longer
  /// shared with it.
  package static func inbox(
    of account: AccountID, rights: [PatientID: PatientRight], in reader: any SQLReader
  ) throws(StorageError) -> [ShownCaregiverMessage] {
    let told = try CaregiverMessageRows.told(to: account, limit: most, in: reader).filter {
      notice in
      rights[notice.patient].map { isReadable(notice, $0) } ?? false
    }
    let names = try PeopleQueries.named(Set(told.map(\.patient)).sorted(), in: reader)
    let shown = told.map { ShownCaregiverMessage(notice: $0, name: names[$0.patient]?.name ?? "") }
    return try completed(shown, in: reader) { rights[$0]?.shares(.medicines) ?? false }
  }

  /// Returns the messages about a patient with the names of their recipients, for those who act for
  /// the patient.
  package static func sent(about patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [ShownCaregiverMessage]
  {
    let told = try CaregiverMessageRows.told(about: patient, limit: most, in: reader)
    let names = try names(of: Set(told.map(\.account)), in: reader)
    return try completed(
      told.map { ShownCaregiverMessage(notice: $0, name: names[$0.account] ?? "") }, in: reader
    ) { _ in true }
  }

  /// Returns a patient's messages to an account that changed after a time, as far as the account
  /// may read them.
  ///
  /// The result is empty for the patient's own account.
  package static func changed(
    after: Timestamp, patient: PatientID, account: AccountID, right: PatientRight?, limit: Int,
    in reader: any SQLReader
  ) throws(StorageError) -> [CaregiverMessage] {
    // The patient's own account is not informed about itself.
    guard let right, right.relationship != .self_ else { return [] }
    return try CaregiverMessageRows.changed(
      after: after, patient: patient, account: account, limit: limit, in: reader
    ).filter { isReadable($0, right) }
  }

  /// Returns the names of those who said that they take care of something about a patient, the
  /// latest first.
  ///
  /// At most 10 are returned, with the times at which they said so.
  package static func caring(
    for patient: PatientID, since: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [(name: String, at: Timestamp)] {
    let rows: [TakenCaregiverMessage] = try reader.query(
      caringStatement, [.text(patient), SQLValue(since)]
    ).decode()
    return rows.map { ($0.name, $0.at) }
  }

  private static let caringStatement = SQLStatement(
    """
    SELECT \(TakenCaregiverMessage.columns) FROM caregiver_messages n JOIN accounts a ON a.account = n.account
    WHERE n.patient = $1 AND n.acknowledged >= $2
    ORDER BY n.acknowledged DESC, n.notice LIMIT 10
    """)

  static func isReadable(_ notice: CaregiverMessage, _ right: PatientRight) -> Bool {
    right.relationship != .emergency && notice.topic.isOpen(to: right)
  }

  private static func names(of accounts: Set<AccountID>, in reader: any SQLReader)
    throws(StorageError) -> [AccountID: String]
  {
    guard !accounts.isEmpty else { return [:] }
    let rows: [MessageRecipientName] = try reader.query(
      "SELECT \(MessageRecipientName.columns) FROM accounts WHERE account IN (", [],
      in: accounts.sorted().map { .text($0) }
    ).decode()
    var found: [AccountID: String] = [:]
    for row in rows { found[row.account] = row.name }
    return found
  }

  /// Adds the names of medicines, and of those who take care of it.
  private static func completed(
    _ shown: [ShownCaregiverMessage], in reader: any SQLReader, names mayName: (PatientID) -> Bool
  ) throws(StorageError) -> [ShownCaregiverMessage] {
    let patients = Set(shown.map(\.notice.patient)).sorted()
    guard !patients.isEmpty else { return [] }
    var medicines: [String: String] = [:]
    let plans = Set(shown.compactMap(\.notice.detail.plan)).sorted()
    if !plans.isEmpty {
      let rows: [MessagePlanName] = try reader.query(
        "SELECT \(MessagePlanName.columns) FROM plans WHERE plan IN (", [],
        in: plans.map { .text($0) }
      ).decode()
      for row in rows { medicines["\(row.patient) \(row.plan)"] = row.name }
    }
    let stocks = Set(shown.compactMap(\.notice.detail.stock)).sorted()
    if !stocks.isEmpty {
      let keys: [StockKey] = try reader.query(
        "SELECT \(StockKey.columns) FROM stocks s WHERE s.stock IN (", [],
        in: stocks.map { .text($0) }
      ).decode()
      for key in keys {
        medicines["\(key.owner) \(key.stock)"] = try StockRows.shownName(
          of: key.stock, owner: key.owner, in: reader)
      }
    }
    var taken: [String: [ShownCaregiverMessage.Taken]] = [:]
    let rows: [TakenCaregiverMessage] = try reader.query(
      """
      SELECT \(TakenCaregiverMessage.columns) FROM caregiver_messages n
      JOIN accounts a ON a.account = n.account
      WHERE n.acknowledged IS NOT NULL AND n.patient IN (
      """, [], in: patients.map { .text($0) }
    ).decode()
    for row in rows {
      taken["\(row.patient) \(row.topic) \(row.day)", default: []]
        .append(.init(name: row.name, at: row.at))
    }
    return shown.map { one in
      var one = one
      let notice = one.notice
      if let named = notice.detail.plan?.text ?? notice.detail.stock?.text, mayName(notice.patient)
      {
        one.medicine = medicines["\(notice.patient) \(named)"]
      }
      one.taken = (taken["\(notice.patient) \(notice.topic.rawValue) \(notice.day.text)"] ?? [])
        .sorted { $0.at < $1.at }
      return one
    }
  }
}

/// Commands of an account on the messages it received.
package enum CaregiverMessageCommands {
  /// Marks all messages of an account as read.
  package static func seeAll(of account: AccountID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try CaregiverMessageStore.seeAll(of: account, at: now, in: writer)
  }

  /// Records that the account takes care of a message; recipients who come later in the order are
  /// not told.
  ///
  /// - Returns: The message as it is now; nil if the account has no such message, or may no longer
  ///   read it.
  package static func acknowledge(
    _ id: String, account: AccountID, rights: [PatientID: PatientRight], at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> CaregiverMessage? {
    guard let notice = try CaregiverMessageRows.one(id, account: account, in: writer),
      let right = rights[notice.patient], CaregiverMessageQueries.isReadable(notice, right)
    else { return nil }
    guard notice.acknowledged == nil else { return notice }
    try CaregiverMessageStore.acknowledge(notice, at: now, in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: notice.patient, resource: "Notice",
        resourceID: id, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
    return try CaregiverMessageRows.one(id, account: account, in: writer)
  }
}

/// A message that its recipient takes care of.
struct TakenCaregiverMessage: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, topic, day, displayName, acknowledged
  }

  static let columns = SQLColumns<Column>(of: "n", [.displayName: "a.display_name"])

  let patient: PatientID
  let topic: String
  let day: String
  let name: String
  let at: Timestamp

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    topic = try row.text(.topic)
    day = try row.text(.day)
    name = try row.text(.displayName)
    at = try row.timestamp(.acknowledged)
  }
}

/// The name of an account that received a message.
struct MessageRecipientName: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case account, displayName
  }

  static let columns = SQLColumns<Column>()

  let account: AccountID
  let name: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    account = try row.id(.account)
    name = try row.text(.displayName)
  }
}

/// The name of a plan that a message is about.
struct MessagePlanName: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, name
  }

  static let columns = SQLColumns<Column>([.name: "COALESCE(shown_name, medicine_name)"])

  let patient: PatientID
  let plan: PlanID
  let name: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    plan = try row.id(.plan)
    name = try row.text(.name)
  }
}
