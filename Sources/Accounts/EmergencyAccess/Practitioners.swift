// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// An account whose owner is known to be a practitioner.
package struct Practitioner: Sendable, Hashable {
  package let account: AccountID
  package let displayName: String
  package let confirmed: Timestamp
}

extension Practitioner: SQLReadableRow {
  package enum Column: Int, SQLColumn { case account, displayName, confirmed }

  package static let columns = SQLColumns<Column>(of: "p", [.displayName: "a.display_name"])

  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    self.init(
      account: try columns.id(.account), displayName: try columns.text(.displayName),
      confirmed: try columns.timestamp(.confirmed))
  }
}

/// Accounts that an administrator of the installation has confirmed one by one; the caller has decided
/// that it may be asked or done.
extension AccountStore {
  package func isPractitioner(
    _ account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first("SELECT 1 FROM practitioners WHERE account = $1", [.text(account)]) != nil
  }

  /// By name.
  package func practitioners(in reader: any SQLReader) throws(StorageError) -> [Practitioner] {
    try reader.query(Self.practitionersStatement, []).decode()
  }

  private static let practitionersStatement = SQLStatement(
    """
    SELECT \(Practitioner.columns)
    FROM practitioners p JOIN accounts a ON a.account = p.account
    ORDER BY a.display_name, p.account
    """)

  /// Confirms an account; whoever confirms is another one, so that nobody opens doors for oneself.
  package func confirmPractitioner(
    _ account: AccountID, by actor: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard account != actor else { throw EmergencyError.oneself }
    try writer.execute(
      """
      INSERT INTO practitioners (account, confirmed, confirmed_by) VALUES ($1, $2, $3)
      ON CONFLICT (account) DO NOTHING
      """, [.text(account), SQLValue(now), .text(actor)])
    audit(.create, account, by: actor, at: now, in: writer)
  }

  /// Takes it back; what the account has opened is closed with it.
  package func endPractitioner(
    _ account: AccountID, by actor: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    let ended = try writer.execute(
      "DELETE FROM practitioners WHERE account = $1", [.text(account)])
    guard ended > 0 else { throw EmergencyError.notFound }
    try EmergencyStore.end(by: account, at: now, in: writer)
    audit(.delete, account, by: actor, at: now, in: writer)
  }

  private func audit(
    _ kind: AuditEntry.Kind, _ account: AccountID, by actor: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: actor, kind: kind, patient: nil, resource: "Practitioner",
        resourceID: account.text, purpose: Purpose.administration.rawValue))
  }
}
