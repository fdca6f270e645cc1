// SPDX-License-Identifier: Apache-2.0

/// The second factors of an account.
package struct SecondFactorState: Sendable, Hashable {
  /// True if an authenticator app is set up.
  package var hasCodeApp: Bool
  /// The number of passkeys.
  package var passkeys: Int
  /// The number of unused recovery codes.
  package var recoveryCodes: Int

  /// Creates a state; by default without any second factor.
  package init(hasCodeApp: Bool = false, passkeys: Int = 0, recoveryCodes: Int = 0) {
    self.hasCodeApp = hasCodeApp
    self.passkeys = passkeys
    self.recoveryCodes = recoveryCodes
  }

  /// True if a password is not enough to sign in.
  package var isSetUp: Bool { hasCodeApp || passkeys > 0 }

  /// The rules for a new password: 8 characters with a second factor, otherwise 15.
  package var passwordRules: PasswordRules {
    PasswordRules(minimum: isSetUp ? 8 : 15)
  }
}
