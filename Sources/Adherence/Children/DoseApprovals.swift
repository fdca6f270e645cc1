// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Foundation
import Identifiers
import Knowledge
import Scheduling
import Storage

/// An approval of a dose table that is in force.
package struct DoseApproval: Sendable, Hashable {
  package let table: String
  package let version: Int
  package let account: AccountID
  package let byName: String
  package let approved: Timestamp

  /// The same for the calculator, with the day in a zone.
  package func approval(in zone: Zone) -> TableApproval {
    TableApproval(
      table: table, version: version, by: byName, day: zone.date(at: Instant(approved)).text)
  }
}

/// Why an approval was not taken.
package enum DoseApprovalError: Error, Sendable, Hashable {
  /// The account is not confirmed as a practitioner's.
  case notAPractitioner
  /// The table has another version by now: look at it before you approve it.
  case changed
}

/// Which dose tables are on: by a practitioner whom the installation has confirmed, by name, for one version.
package enum DoseApprovals {
  /// Approvals of the tables as they are now, by accounts that are still confirmed, the first of each table.
  package static func inForce(
    _ tables: [DoseTable], in reader: any SQLReader
  ) throws(StorageError) -> [DoseApproval] {
    let rows = try reader.query(
      """
      SELECT a.dose_table, a.version, a.account, a.by_name, a.approved, a.content
      FROM dose_approvals a JOIN practitioners p ON p.account = a.account
      WHERE a.withdrawn IS NULL ORDER BY a.approved, a.account
      """)
    var found: [String: DoseApproval] = [:]
    for row in rows {
      let id = try row.text(0)
      guard found[id] == nil, let table = tables.first(where: { $0.id == id }),
        table.version == Int(try row.integer(1)), table.fingerprint == (try row.text(5))
      else { continue }
      found[id] = DoseApproval(
        table: id, version: table.version, account: try row.id(2), byName: try row.text(3),
        approved: try row.timestamp(4))
    }
    return tables.compactMap { found[$0.id] }
  }

  /// Takes responsibility for a table in the version that was looked at.
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
    try writer.execute(
      """
      INSERT INTO dose_approvals (dose_table, version, account, approved, by_name, content)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
      """,
      [
        .text(table.id), .integer(Int64(version)), .text(account), SQLValue(now), .text(name),
        .text(table.fingerprint),
      ])
    audit(.create, table, by: account, at: now, in: writer)
  }

  /// Turns a table off, whoever approved it: any confirmed practitioner may.
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
