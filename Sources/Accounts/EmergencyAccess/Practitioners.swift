// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// An account whose owner is confirmed as a practitioner.
package struct Practitioner: Sendable, Hashable {
  /// The practitioner's account.
  package let account: AccountID
  /// The display name of the account.
  package let displayName: String
  /// The time of the confirmation.
  package let confirmed: Timestamp
}

extension Practitioner: SQLReadableRow {
  /// The columns of a practitioner, with the name of the account.
  package enum Column: Int, SQLColumn { case account, displayName, confirmed }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>(of: "p", [.displayName: "a.display_name"])

  /// Creates a practitioner from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    self.init(
      account: try columns.id(.account), displayName: try columns.text(.displayName),
      confirmed: try columns.timestamp(.confirmed))
  }
}

/// The accounts that administrators confirmed one by one; the caller has decided that the action is
/// allowed.
extension AccountStore {
  /// Returns true if the account is confirmed as a practitioner.
  package func isPractitioner(
    _ account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first("SELECT 1 FROM practitioners WHERE account = $1", [.text(account)]) != nil
  }

  /// Returns the confirmed practitioners, by name.
  package func practitioners(in reader: any SQLReader) throws(StorageError) -> [Practitioner] {
    try reader.query(Self.practitionersStatement, []).decode()
  }

  private static let practitionersStatement = SQLStatement(
    """
    SELECT \(Practitioner.columns)
    FROM practitioners p JOIN accounts a ON a.account = p.account
    ORDER BY a.display_name, p.account
    """)

  /// Confirms an account; an account cannot confirm itself.
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

  /// Withdraws the confirmation, and ends the account's emergency access with it.
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
