// SPDX-License-Identifier: Apache-2.0

import Accounts
import Hummingbird
import Storage
import Web

/// What must not happen when the last second factor is taken away.
enum LastFactor {
  /// Where it leads instead; nil where nothing stands in the way.
  ///
  /// Nobody who needs a second factor goes without one, and no password stays that was only long
  /// enough beside one.
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
