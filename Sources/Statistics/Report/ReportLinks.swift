// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Localization
import People
import Scheduling
import Storage

/// An address that shows the report of some days to whoever has it, until it ends.
package struct ReportLink: Sendable, Hashable {
  package let patient: PatientID
  package let id: String
  /// Who made it: it shows what this account may see at the moment, and nothing once it may see nothing.
  package let account: AccountID
  package let first: CivilDate
  package let last: CivilDate
  package let language: Language
  package let ends: Timestamp
  /// How many times it was opened.
  package let opened: Int
  package let lastOpened: Timestamp?
}

package enum ReportLinks {
  package static let prefix = "rgv_"
  /// So many at a time, and for so many days.
  package static let most = 10
  package static let days = [1, 7, 30]

  package enum Failure: Error, Sendable, Hashable {
    case notFound
    /// There are ``most`` already.
    case tooMany
  }

  /// Makes a link; its secret is told this once.
  ///
  /// The caller has decided that the account may see the report.
  package static func make(
    _ secret: Secret, of patient: PatientID, from first: CivilDate, to last: CivilDate,
    language: Language, ends: Timestamp, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let kept = try all(of: patient, at: context.now, in: writer)
    guard kept.count < most else { throw Failure.tooMany }
    try writer.execute(
      "DELETE FROM report_links WHERE patient = $1 AND ends <= $2",
      [.text(patient), SQLValue(context.now)])
    let id = context.newIdentifier()
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

  /// Ends a link at once.
  package static func remove(
    _ id: String, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let count = try writer.execute(
      "DELETE FROM report_links WHERE patient = $1 AND link = $2", [.text(patient), .text(id)])
    guard count == 1 else { throw Failure.notFound }
    audit(.delete, id, patient, context, in: writer)
  }

  /// Ends every link that an account made, about any patient.
  package static func remove(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM report_links WHERE account = $1", [.text(account)])
  }

  /// The links of a patient that have not ended, whoever made them, the oldest first.
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

  /// The link of a secret that has not ended; the caller decides whether its account may still see the patient.
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

  /// Notes that a link was opened, in the audit trail too: whoever made it can see that somebody looked.
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
        resourceID: link.id, purpose: Purpose.care.rawValue))
  }

  private static func read(_ row: SQLRow) throws(StorageError) -> ReportLink? {
    let row = row.read(ReportLinkRow.self)
    guard let first = CivilDate(text: try row.text(.firstDay)),
      let last = CivilDate(text: try row.text(.lastDay)),
      let language = Language(rawValue: try row.text(.language))
    else { return nil }
    return ReportLink(
      patient: try row.id(.patient), id: try row.text(.link), account: try row.id(.account),
      first: first, last: last, language: language, ends: try row.timestamp(.ends),
      opened: Int(try row.integer(.opened)), lastOpened: try row.optionalTimestamp(.lastOpened))
  }

  private static func audit(
    _ kind: AuditEntry.Kind, _ id: String, _ patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: kind, patient: patient,
        resource: "ReportLink", resourceID: id, purpose: context.purpose.rawValue))
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
  let link: String
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
