// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The change of a password, which ends everything opened under the earlier one.
extension AccountStore {
  /// Replaces the password, ends every session and invalidates every invitation, so that anyone with the old
  /// password or an older link loses access.
  ///
  /// It also ends everything created under an earlier password: tokens, addresses of calendars, widgets and
  /// reports, and a pending change of the account's address.
  package func setPassword(
    _ hash: PasswordHash, isShort: Bool = false, of account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    if try hasPassword(account, in: writer) {
      try TokenStore.delete(of: account, in: writer)
      for consequence in consequences {
        try consequence.passwordWasReplaced(of: account, in: writer)
      }
    }
    try AddressProofStore.delete(of: account, in: writer)
    try Self.endKnownDevices(of: account, in: writer)
    try Self.set(passwordHash: hash, isShort: isShort, of: account, at: now, in: writer)
    try SessionStore.delete(of: account, in: writer)
    try PendingSignInStore.delete(of: account, in: writer)
    try InvitationStore.useUp(of: account, at: now, in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: nil, resource: "Account",
        resourceID: account.text, version: nil, purpose: Purpose.administration.rawValue,
        outcome: .success))
  }

  /// Uses an invitation and sets the password that its holder chose.
  ///
  /// Throws ``AccountError/invitationUnknown`` if it is not valid.
  package func accept(
    invitation secret: Secret, passwordHash: PasswordHash, isShort: Bool = false,
    at now: Timestamp, in writer: any SQLWriter
  ) throws -> Account {
    guard let account = try invited(by: secret, at: now, in: writer) else {
      throw AccountError.invitationUnknown
    }
    try InvitationStore.useUp(secret.digest, at: now, in: writer)
    try setPassword(passwordHash, isShort: isShort, of: account.id, at: now, in: writer)
    return account
  }
}
