// SPDX-License-Identifier: Apache-2.0

import Storage

extension AccountStore {
  /// Stores a link for replacing a forgotten password, and returns the account.
  ///
  /// Returns nil if no account has the address or number, if the number was never proved, or if it
  /// was asked for too often.
  package func startRecovery(
    _ secret: Secret, for name: SignInName, at now: Timestamp, in writer: any SQLWriter
  ) throws -> Account? {
    let bucket = SignInThrottle.Bucket.target(attemptKey("recovery", name.folded))
    do {
      try SignInThrottle.admit([bucket], at: now, in: writer)
      guard let account = try account(named: name, in: writer)?.account else { return nil }
      if name.isPhone {
        // A number may be mistyped or reassigned, so only a proved one can recover an account.
        guard try addressProved(of: account.id, in: writer) != nil else { return nil }
        try SignInThrottle.admit([textsBucket], at: now, in: writer)
      }
      try createInvitation(
        secret, for: account.id, lasting: CredentialLifetime.recovery, at: now, in: writer)
      return account
    } catch AccountError.tooManyAttempts {
      return nil
    }
  }
}
