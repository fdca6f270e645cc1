// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Localization
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
    try writer.execute(
      """
      INSERT INTO report_links (patient, link, secret_hash, account, first_day, last_day, language,
        created, ends)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      """,
      [
        .text(patient), .text(id), .blob(secret.digest), .text(context.actor.accountID),
        .text(first.text), .text(last.text), .text(language.rawValue), SQLValue(context.now),
        SQLValue(ends),
      ])
    audit(.create, id, patient, context, in: writer)
  }

  /// Ends a link at once.
  package static func remove(
    _ id: String, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let count = try writer.execute(
      "DELETE FROM report_links WHERE patient = $1 AND link = $2", [.text(patient), .text(id)])
    guard count == 1 else { throw Failure.notFound }
    audit(.delete, id, patient, context, in: writer)
  }

  /// The links of a patient that have not ended, whoever made them, the oldest first.
  package static func all(
    of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [ReportLink] {
    var links: [ReportLink] = []
    for row in try reader.query(
      """
      SELECT patient, link, account, first_day, last_day, language, ends, opened, last_opened
      FROM report_links WHERE patient = $1 AND ends > $2 ORDER BY created, link
      """, [.text(patient), SQLValue(now)])
    {
      if let link = try read(row) { links.append(link) }
    }
    return links
  }

  /// The link of a secret that has not ended; the caller decides whether its account may still see the patient.
  package static func link(by secret: Secret, at now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> ReportLink?
  {
    guard secret.text.hasPrefix(prefix), secret.text.utf8.count < 100 else { return nil }
    let row = try reader.first(
      """
      SELECT r.patient, r.link, r.account, r.first_day, r.last_day, r.language, r.ends, r.opened,
        r.last_opened
      FROM report_links r WHERE r.secret_hash = $1 AND r.ends > $2 AND EXISTS (SELECT 1 FROM grants g
        WHERE g.patient = r.patient AND g.account = r.account
          AND g.relationship IN ('self', 'guardian') AND g.starts <= r.created
          AND (g.ends IS NULL OR g.ends > $2))
      """, [.blob(secret.digest), SQLValue(now)])
    return try row.flatMap { row throws(StorageError) in try read(row) }
  }

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
    guard let first = CivilDate(text: try row.text(3)),
      let last = CivilDate(text: try row.text(4)),
      let language = Language(rawValue: try row.text(5))
    else { return nil }
    return ReportLink(
      patient: try row.id(0), id: try row.text(1), account: try row.id(2), first: first,
      last: last, language: language, ends: try row.timestamp(6),
      opened: Int(try row.integer(7)), lastOpened: try row.optionalTimestamp(8))
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
