// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// Erases accounts, after checking that no patient would be left without anyone who acts for them.
extension AccountStore {
  /// Returns the patients, except one, for whom no one else could act without an account.
  package func patientsWithOnly(
    _ account: AccountID, besides patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID] {
    try reader.query(
      """
      SELECT DISTINCT g.patient FROM grants g
      WHERE g.account = $1 AND g.patient <> $2 AND g.relationship IN ('self', 'guardian')
        AND g.starts <= $3 AND (g.ends IS NULL OR g.ends > $3)
        AND NOT EXISTS (
          SELECT 1 FROM grants o
          WHERE o.patient = g.patient AND o.account <> $1
            AND o.relationship IN ('self', 'guardian')
            AND o.starts <= $3 AND (o.ends IS NULL OR o.ends > $3))
      ORDER BY g.patient
      """, [.text(account), .text(patient), SQLValue(now)]
    ).values()
  }

  /// Returns true if no other account runs the installation.
  package func isOnlyAdministrator(
    _ account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    let own = try reader.first(
      "SELECT 1 FROM accounts WHERE account = $1 AND administrator = 1", [.text(account)])
    guard own != nil else { return false }
    return try reader.first(
      "SELECT 1 FROM accounts WHERE account <> $1 AND administrator = 1 LIMIT 1",
      [.text(account)]) == nil
  }

  /// Returns the identifiers of the account's sessions and tokens in other tables.
  package func credentials(
    of account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> [SessionID] {
    try reader.query(
      """
      SELECT digest FROM sessions WHERE account = $1
      UNION SELECT digest FROM tokens WHERE account = $1
      """, [.text(account)]
    ).values(as: [UInt8].self).map { SessionID(digest: $0) }
  }

  /// Deletes an account with its credentials, grants, devices and choices.
  ///
  /// Entries made for other people stay, without the account's credentials and name. Invitations
  /// that it accepted and that were not confirmed are withdrawn.
  package func erase(
    _ account: AccountID, at now: Timestamp, by actor: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {
    for consequence in consequences { try consequence.willErase(account, in: writer) }
    try EmergencyStore.end(by: account, in: writer)
    try GrantInvitationStore.withdraw(acceptedBy: account, at: now, in: writer)
    try Self.delete(account, in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: actor, kind: .delete, patient: nil, resource: "Account",
        resourceID: account.text, purpose: Purpose.administration.rawValue))
  }
}
