// SPDX-License-Identifier: Apache-2.0

import Accounts
import Web

/// Asks a signed-in person for the password again, before an action that must not be possible on an
/// unattended screen.
enum StepUp {
  /// The field of the form.
  static let field = "password"

  /// - Throws: ``AccountError`` if the proof is missing or wrong.
  static func require(_ form: PostedForm) async throws {
    let isRight = try await form.call.environment.signIn.isPassword(
      form.raw(field) ?? "", of: form.signedIn.account, at: form.call.now)
    guard isRight else { throw AccountError.signInRefused }
  }
}
