// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Scheduling
import Storage

/// A message as it is shown, with what names it.
package struct ShownNotice: Sendable, Hashable {
  package let notice: Notice
  /// The patient's name, or the recipient's on the patient's own page.
  package let name: String
  /// The medicine; nil where it is not shared, or there is none.
  package var medicine: String?
  /// Who of the others said to take care of it; empty where nobody did.
  package var taken: [Taken] = []

  package struct Taken: Sendable, Hashable {
    package let name: String
    package let at: Timestamp

    package init(name: String, at: Timestamp) {
      self.name = name
      self.at = at
    }
  }

  package init(notice: Notice, name: String, medicine: String? = nil) {
    self.notice = notice
    self.name = name
    self.medicine = medicine
  }
}

/// Questions about what was told.
package enum NoticeQueries {
  /// What is shown at most.
  package static let most = 200

  /// What an account was told and may still read, the latest first: what is not shared any more is not shown.
  package static func inbox(
    of account: AccountID, rights: [PatientID: PatientRight], in reader: any SQLReader
  ) throws(StorageError) -> [ShownNotice] {
    let told = try NoticeRows.told(to: account, limit: most, in: reader).filter { notice in
      rights[notice.patient].map { isReadable(notice, $0) } ?? false
    }
    let names = try PeopleQueries.named(Set(told.map(\.patient)).sorted(), in: reader)
    let shown = told.map { ShownNotice(notice: $0, name: names[$0.patient]?.name ?? "") }
    return try completed(shown, in: reader) { rights[$0]?.shares(.medicines) ?? false }
  }

  /// What was told about a patient, for whoever acts for them: with the names of those who were told.
  package static func sent(about patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [ShownNotice]
  {
    let told = try NoticeRows.told(about: patient, limit: most, in: reader)
    let names = try names(of: Set(told.map(\.account)), in: reader)
    return try completed(
      told.map { ShownNotice(notice: $0, name: names[$0.account.text] ?? "") }, in: reader
    ) { _ in true }
  }

  /// Those of a patient that changed for an account since an instant, as far as it may read them.
  package static func changed(
    after: Timestamp, patient: PatientID, account: AccountID, right: PatientRight?, limit: Int,
    in reader: any SQLReader
  ) throws(StorageError) -> [Notice] {
    // Whose the patient is, is told nothing of it.
    guard let right, right.relationship != .self_ else { return [] }
    return try NoticeRows.changed(
      after: after, patient: patient, account: account, limit: limit, in: reader
    ).filter { isReadable($0, right) }
  }

  /// Who said lately to take care of something about a patient, the latest first.
  package static func caring(
    for patient: PatientID, since: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [(name: String, at: Timestamp)] {
    var found: [(name: String, at: Timestamp)] = []
    for row in try reader.query(
      """
      SELECT a.display_name, n.acknowledged FROM notices n JOIN accounts a ON a.account = n.account
      WHERE n.patient = $1 AND n.acknowledged >= $2
      ORDER BY n.acknowledged DESC, n.notice LIMIT 10
      """, [.text(patient), SQLValue(since)])
    { found.append((try row.text(0), try row.timestamp(1))) }
    return found
  }

  static func isReadable(_ notice: Notice, _ right: PatientRight) -> Bool {
    right.relationship != .emergency && notice.topic.isOpen(to: right)
  }

  private static func names(of accounts: Set<AccountID>, in reader: any SQLReader)
    throws(StorageError) -> [String: String]
  {
    guard !accounts.isEmpty else { return [:] }
    var found: [String: String] = [:]
    for row in try reader.query(
      "SELECT account, display_name FROM accounts WHERE account IN (", [],
      in: accounts.sorted().map { .text($0) })
    { found[try row.text(0)] = try row.text(1) }
    return found
  }

  /// With the names of medicines, and of those who take care of it.
  private static func completed(
    _ shown: [ShownNotice], in reader: any SQLReader, names mayName: (PatientID) -> Bool
  ) throws(StorageError) -> [ShownNotice] {
    let patients = Set(shown.map(\.notice.patient)).sorted()
    guard !patients.isEmpty else { return [] }
    var medicines: [String: String] = [:]
    let plans = Set(shown.compactMap(\.notice.detail.plan)).sorted()
    if !plans.isEmpty {
      for row in try reader.query(
        "SELECT patient, plan, COALESCE(shown_name, medicine_name) FROM plans WHERE plan IN (", [],
        in: plans.map { .text($0) })
      { medicines["\(try row.text(0)) \(try row.text(1))"] = try row.text(2) }
    }
    let stocks = Set(shown.compactMap(\.notice.detail.stock)).sorted()
    if !stocks.isEmpty {
      for row in try reader.query(
        "SELECT patient, stock FROM stocks WHERE stock IN (", [], in: stocks.map { .text($0) })
      {
        let (owner, stock) = (try row.id(0) as PatientID, try row.id(1) as StockID)
        medicines["\(owner) \(stock)"] = try StockRows.shownName(
          of: stock, owner: owner, in: reader)
      }
    }
    var taken: [String: [ShownNotice.Taken]] = [:]
    for row in try reader.query(
      """
      SELECT n.patient, n.topic, n.day, a.display_name, n.acknowledged FROM notices n
      JOIN accounts a ON a.account = n.account
      WHERE n.acknowledged IS NOT NULL AND n.patient IN (
      """, [], in: patients.map { .text($0) })
    {
      taken["\(try row.text(0)) \(try row.text(1)) \(try row.text(2))", default: []].append(
        .init(name: try row.text(3), at: try row.timestamp(4)))
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

/// What an account does with what it was told.
package enum NoticeCommands {
  /// Notes that an account has read all that it was told.
  package static func seeAll(of account: AccountID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE notices SET seen = $1, changed = $1
      WHERE account = $2 AND seen IS NULL AND told IS NOT NULL
      """, [SQLValue(now), .text(account)])
  }

  /// "I take care of it": the others in the order are not told any more.
  ///
  /// - Returns: the message as it is now; nil where the account has no such one, or may not read it any more.
  package static func acknowledge(
    _ id: String, account: AccountID, rights: [PatientID: PatientRight], at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Notice? {
    guard let notice = try NoticeRows.one(id, account: account, in: writer),
      let right = rights[notice.patient], NoticeQueries.isReadable(notice, right)
    else { return nil }
    guard notice.acknowledged == nil else { return notice }
    try writer.execute(
      """
      UPDATE notices SET acknowledged = $1, seen = COALESCE(seen, $1), changed = $1
      WHERE patient = $2 AND notice = $3
      """, [SQLValue(now), .text(notice.patient), .text(id)])
    // Whoever comes later in the order is let be.
    try writer.execute(
      """
      UPDATE notices SET state = 'stopped', changed = $1
      WHERE patient = $2 AND topic = $3 AND day = $4 AND way = 'now' AND state = 'planned'
      """,
      [
        SQLValue(now), .text(notice.patient), .text(notice.topic.rawValue), .text(notice.day.text),
      ])
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: notice.patient, resource: "Notice",
        resourceID: id, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
    return try NoticeRows.one(id, account: account, in: writer)
  }
}
