// SPDX-License-Identifier: Apache-2.0

import Accounts
import Hummingbird
import Storage
import Web

/// The conditions for removing the last second factor.
enum LastFactor {
  /// Returns the answer that prevents the removal; nil if it is allowed.
  ///
  /// An account that requires a second factor keeps one, and so does one with a password that is
  /// long enough only together with a second factor.
  static func obstacle(
    _ form: PostedForm, isLast: (SecondFactorState) -> Bool
  ) async throws -> Response? {
    let environment = form.call.environment
    let (accounts, account) = (environment.accounts, form.signedIn.account.id)
    let (state, isShort) = try await environment.database.read { reader in
      (
        try accounts.secondFactor(of: account, in: reader),
        try accounts.hasShortPassword(account, in: reader)
      )
    }
    guard isLast(state) else { return nil }
    if form.signedIn.session?.needsSecondFactor == true {
      return form.redirect(to: AccountSecurityNote.factorNeeded.address)
    }
    return isShort ? form.redirect(to: AccountSecurityNote.passwordShort.address) : nil
  }
}
