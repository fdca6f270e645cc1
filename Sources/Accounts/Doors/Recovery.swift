// SPDX-License-Identifier: Apache-2.0

import Storage

extension AccountStore {
  /// Keeps a link with which a forgotten password is replaced; nil where nobody has the address, or
  /// where it was asked for too often.
  package func startRecovery(
    _ secret: Secret, for address: EmailAddress, at now: Timestamp, in writer: any SQLWriter
  ) throws -> Account? {
    let bucket = SignInThrottle.Bucket.target(attemptKey("recovery", address.folded))
    do {
      try SignInThrottle.admit([bucket], at: now, in: writer)
    } catch is AccountError {
      return nil
    }
    guard let account = try account(named: SignInName(address), in: writer)?.account else {
      return nil
    }
    try createInvitation(
      secret, for: account.id, lasting: CredentialLifetime.recovery, at: now, in: writer)
    return account
  }
}
