// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Foundation
import Identifiers
import Knowledge
import Plans
import Scheduling
import Storage

/// An approval of a dose table that is in force.
package struct DoseApproval: Sendable, Hashable {
  /// The identifier of the table.
  package let table: String
  /// The approved version of the table.
  package let version: Int
  /// The practitioner's account.
  package let account: AccountID
  /// The practitioner's name at the time of the approval.
  package let byName: String
  /// The time of the approval.
  package let approved: Timestamp

  /// Returns the approval in the form that the dose calculator takes, with its day in a time zone.
  package func approval(in zone: Zone) -> TableApproval {
    TableApproval(
      table: table, version: version, by: byName, day: zone.date(at: Instant(approved)).text)
  }
}

/// The reason why an approval was rejected.
package enum DoseApprovalError: Error, Sendable, Hashable {
  /// The account is not a confirmed practitioner's.
  case notAPractitioner
  /// The table has another version by now, which must be read first.
  case changed
}

/// The approvals of dose tables: a table gives doses only if a practitioner confirmed by the installation
/// has approved its version by name.
package enum DoseApprovals {
  /// Returns the approvals of the tables in their current version and content, in the order of the tables.
  ///
  /// Approvals of accounts that are no longer confirmed do not count; the earliest approval of each table is
  /// returned.
  package static func inForce(
    _ tables: [DoseTable], in reader: any SQLReader
  ) throws(StorageError) -> [DoseApproval] {
    var found: [String: DoseApproval] = [:]
    for row in try reader.query(inForceStatement, []) {
      let row = row.read(DoseApprovalRow.self)
      let id = try row.text(.doseTable)
      guard found[id] == nil, let table = tables.first(where: { $0.id == id }),
        table.version == Int(try row.integer(.version)),
        table.fingerprint == (try row.text(.content))
      else { continue }
      found[id] = DoseApproval(
        table: id, version: table.version, account: try row.id(.account),
        byName: try row.text(.byName), approved: try row.timestamp(.approved))
    }
    return tables.compactMap { found[$0.id] }
  }

  private static let inForceStatement = SQLStatement(
    """
    SELECT \(DoseApprovalRow.columns)
    FROM dose_approvals a JOIN practitioners p ON p.account = a.account
    WHERE a.withdrawn IS NULL ORDER BY a.approved, a.account
    """)

  /// Records that a practitioner takes responsibility for a table.
  ///
  /// - Parameter version: The version that the practitioner read.
  /// - Throws: `notAPractitioner`; `changed` if the table has another version by now.
  package static func approve(
    _ table: DoseTable, version: Int, by account: AccountID, name: String, at now: Timestamp,
    accounts: AccountStore, in writer: any SQLWriter
  ) throws {
    guard try accounts.isPractitioner(account, in: writer) else {
      throw DoseApprovalError.notAPractitioner
    }
    guard table.version == version else { throw DoseApprovalError.changed }
    let known = try inForce([table], in: writer)
    if !known.isEmpty { return }
    let row = NewDoseApprovalRow(
      doseTable: table.id, version: version, account: account, approved: now, byName: name,
      content: table.fingerprint)
    try writer.execute(insertStatement, row.values)
    audit(.create, table, by: account, at: now, in: writer)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO dose_approvals (\(NewDoseApprovalRow.columns))
    VALUES (\(NewDoseApprovalRow.placeholders)) ON CONFLICT DO NOTHING
    """)

  /// Withdraws the approvals of a table, whoever gave them; any confirmed practitioner can do so.
  ///
  /// - Throws: `notAPractitioner`.
  package static func withdraw(
    _ table: DoseTable, by account: AccountID, at now: Timestamp, accounts: AccountStore,
    in writer: any SQLWriter
  ) throws {
    guard try accounts.isPractitioner(account, in: writer) else {
      throw DoseApprovalError.notAPractitioner
    }
    let changed = try writer.execute(
      """
      UPDATE dose_approvals SET withdrawn = $1, withdrawn_by = $2
      WHERE dose_table = $3 AND withdrawn IS NULL
      """, [SQLValue(now), .text(account), .text(table.id)])
    if changed > 0 { audit(.delete, table, by: account, at: now, in: writer) }
  }

  private static func audit(
    _ kind: AuditEntry.Kind, _ table: DoseTable, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: kind, patient: nil, resource: "DoseTable",
        resourceID: table.id, version: Int64(table.version),
        purpose: Purpose.administration.rawValue))
  }
}

/// A row of `dose_approvals` as it is read.
enum DoseApprovalRow: SQLRowType {
  enum Column: Int, SQLColumn { case doseTable, version, account, byName, approved, content }

  static let columns = SQLColumns<Column>(of: "a")
}

/// A row of `dose_approvals` as it is first written.
struct NewDoseApprovalRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case doseTable, version, account, approved, byName, content }

  static let columns = SQLColumns<Column>()

  let doseTable: String
  let version: Int
  let account: AccountID
  let approved: Timestamp
  let byName: String
  let content: String

  func value(of column: Column) -> SQLValue {
    switch column {
    case .doseTable: .text(doseTable)
    case .version: SQLValue(version)
    case .account: .text(account)
    case .approved: SQLValue(approved)
    case .byName: .text(byName)
    case .content: .text(content)
    }
  }
}
