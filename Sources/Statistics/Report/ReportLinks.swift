// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Localization
import People
import Scheduling
import Storage

/// An address that shows the report of some days to anyone who has it, until it expires.
package struct ReportLink: Sendable, Hashable {
  /// The patient whose report it shows.
  package let patient: PatientID
  /// The identifier by which it is listed and removed; the address contains a secret instead.
  package let id: ReportLinkID
  /// The account that made it: the link shows what this account may see when it is opened.
  package let account: AccountID
  /// The first day of the report.
  package let first: CivilDate
  /// The last day of the report, which is included.
  package let last: CivilDate
  /// The language of the report.
  package let language: Language
  /// The time at which it expires.
  package let ends: Timestamp
  /// The number of times it was opened.
  package let opened: Int
  /// The time at which it was opened last; nil if it never was.
  package let lastOpened: Timestamp?
}

/// The links to reports: making, listing, opening and removing them.
package enum ReportLinks {
  /// The prefix of every secret, which identifies its kind.
  package static let prefix = "rgv_"
  /// The maximum number of links of one patient that have not expired.
  package static let most = 10
  /// The lifetimes, in days, that a link can have.
  package static let days = [1, 7, 30]

  /// An error of a command on links.
  package enum Failure: Error, Sendable, Hashable {
    /// The patient has no such link.
    case notFound
    /// The patient already has ``most`` links.
    case tooMany
  }

  /// Creates a link for a secret, of which only the digest is stored, and deletes expired links.
  ///
  /// The caller has checked that the account may see the report.
  ///
  /// - Throws: ``Failure/tooMany``.
  package static func make(
    _ secret: Secret, of patient: PatientID, from first: CivilDate, to last: CivilDate,
    language: Language, ends: Timestamp, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let kept = try all(of: patient, at: context.now, in: writer)
    guard kept.count < most else { throw Failure.tooMany }
    try writer.execute(
      "DELETE FROM report_links WHERE patient = $1 AND ends <= $2",
      [.text(patient), SQLValue(context.now)])
    let id: ReportLinkID = context.newID()
    let row = NewReportLinkRow(
      patient: patient, link: id, secretHash: secret.digest, account: context.actor.accountID,
      firstDay: first, lastDay: last, language: language, created: context.now, ends: ends)
    try writer.execute(insertStatement, row.values)
    audit(.create, id, patient, context, in: writer)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO report_links (\(NewReportLinkRow.columns)) VALUES (\(NewReportLinkRow.placeholders))
    """)

  /// Removes a link, which stops working at once.
  ///
  /// - Throws: ``Failure/notFound``.
  package static func remove(
    _ id: ReportLinkID, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let count = try writer.execute(
      "DELETE FROM report_links WHERE patient = $1 AND link = $2", [.text(patient), .text(id)])
    guard count == 1 else { throw Failure.notFound }
    audit(.delete, id, patient, context, in: writer)
  }

  /// Removes every link that an account made, about any patient.
  package static func remove(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM report_links WHERE account = $1", [.text(account)])
  }

  /// Returns the links of a patient that have not expired, made by any account, the oldest first.
  package static func all(
    of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [ReportLink] {
    var links: [ReportLink] = []
    for row in try reader.query(linksStatement, [.text(patient), SQLValue(now)]) {
      if let link = try read(row) { links.append(link) }
    }
    return links
  }

  private static let linksStatement = SQLStatement(
    """
    SELECT \(ReportLinkRow.columns)
    FROM report_links r WHERE r.patient = $1 AND r.ends > $2 ORDER BY r.created, r.link
    """)

  /// Returns the link of a secret; nil if there is none, if it has expired, or if its creator no longer acts
  /// for the patient.
  ///
  /// The caller checks that the account may still see the report.
  package static func link(by secret: Secret, at now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> ReportLink?
  {
    guard secret.text.hasPrefix(prefix), secret.text.utf8.count < 100 else { return nil }
    let row = try reader.first(linkStatement, [.blob(secret.digest), SQLValue(now)])
    return try row.flatMap { row throws(StorageError) in try read(row) }
  }

  private static let linkStatement = SQLStatement(
    """
    SELECT \(ReportLinkRow.columns)
    FROM report_links r WHERE r.secret_hash = $1 AND r.ends > $2 AND EXISTS (SELECT 1 FROM grants g
      WHERE g.patient = r.patient AND g.account = r.account
        AND g.relationship IN ('self', 'guardian') AND g.starts <= r.created
        AND (g.ends IS NULL OR g.ends > $2))
    """)

  /// Records that a link was opened, also in the audit trail, so that its creator can see it.
  package static func note(_ link: ReportLink, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE report_links SET opened = opened + 1, last_opened = $1
      WHERE patient = $2 AND link = $3
      """, [SQLValue(now), .text(link.patient), .text(link.id)])
    writer.audit(
      AuditEntry(
        at: now, actor: link.account, kind: .export, patient: link.patient, resource: "ReportLink",
        resourceID: link.id.text, purpose: Purpose.care.rawValue))
  }

  private static func read(_ row: SQLRow) throws(StorageError) -> ReportLink? {
    let row = row.read(ReportLinkRow.self)
    guard let first = CivilDate(text: try row.text(.firstDay)),
      let last = CivilDate(text: try row.text(.lastDay)),
      let language = Language(rawValue: try row.text(.language))
    else { return nil }
    return ReportLink(
      patient: try row.id(.patient), id: try row.id(.link), account: try row.id(.account),
      first: first, last: last, language: language, ends: try row.timestamp(.ends),
      opened: Int(try row.integer(.opened)), lastOpened: try row.optionalTimestamp(.lastOpened))
  }

  private static func audit(
    _ kind: AuditEntry.Kind, _ id: ReportLinkID, _ patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: kind, patient: patient,
        resource: "ReportLink", resourceID: id.text, purpose: context.purpose.rawValue))
  }
}

enum ReportLinkRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, link, account, firstDay, lastDay, language, ends, opened, lastOpened
  }

  static let columns = SQLColumns<Column>(of: "r")
}

struct NewReportLinkRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, link, secretHash, account, firstDay, lastDay, language, created, ends
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let link: ReportLinkID
  let secretHash: [UInt8]
  let account: AccountID
  let firstDay: CivilDate
  let lastDay: CivilDate
  let language: Language
  let created: Timestamp
  let ends: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .link: .text(link)
    case .secretHash: .blob(secretHash)
    case .account: .text(account)
    case .firstDay: .text(firstDay.text)
    case .lastDay: .text(lastDay.text)
    case .language: .text(language.rawValue)
    case .created: SQLValue(created)
    case .ends: SQLValue(ends)
    }
  }
}
