// SPDX-License-Identifier: Apache-2.0

/// What an account has besides its password.
package struct SecondFactorState: Sendable, Hashable {
  package var hasCodeApp: Bool
  package var passkeys: Int
  /// Recovery codes that were not used yet.
  package var recoveryCodes: Int

  package init(hasCodeApp: Bool = false, passkeys: Int = 0, recoveryCodes: Int = 0) {
    self.hasCodeApp = hasCodeApp
    self.passkeys = passkeys
    self.recoveryCodes = recoveryCodes
  }

  /// Whether a password alone does not sign in.
  package var isSetUp: Bool { hasCodeApp || passkeys > 0 }

  /// What a new password must be.
  package var passwordRules: PasswordRules {
    PasswordRules(minimum: isSetUp ? 8 : 15)
  }
}
