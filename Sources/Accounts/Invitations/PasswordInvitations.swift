// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The lifetimes of credentials, in milliseconds.
package enum CredentialLifetime {
  /// The maximum time without a request: a person's own phone stays signed in for 30 days after its last use;
  /// docs/signing-in.md says so.
  package static let session = SessionLimits.longestIdle
  /// The lifetime of an invitation link: 7 days.
  package static let invitation = 7 * SessionLimits.day
  /// The lifetime of a link that was asked for by mail: one hour.
  package static let recovery = SessionLimits.hour
}

/// One-time links with which the owner of an account chooses a password.
extension AccountStore {
  /// Creates a one-time invitation with which the owner of the account chooses a password.
  package func createInvitation(
    _ secret: Secret, for account: AccountID,
    lasting lifetime: Int64 = CredentialLifetime.invitation,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try InvitationStore.insert(
      secret.digest, for: account, at: now, expires: now.adding(milliseconds: lifetime), in: writer)
  }

  /// Returns the account of an unused, unexpired invitation; nil if there is none.
  package func invited(
    by secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> Account? {
    let row = try reader.first(
      "SELECT account FROM invitations WHERE digest = $1 AND used IS NULL AND expires > $2",
      [.blob(secret.digest), SQLValue(now)])
    return try row.flatMap { try account($0.value(), in: reader) }
  }
}
