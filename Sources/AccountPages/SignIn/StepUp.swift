// SPDX-License-Identifier: Apache-2.0

import Accounts
import Web

/// Asks somebody who is signed in to prove it once more, before what must not happen at a screen that was
/// left open.
enum StepUp {
  /// The field of the form.
  static let field = "password"

  /// - Throws: ``AccountError`` where the proof is missing or wrong.
  static func require(_ form: PostedForm) async throws {
    let isRight = try await form.call.environment.signIn.isPassword(
      form.raw(field) ?? "", of: form.signedIn.account, at: form.call.now)
    guard isRight else { throw AccountError.signInRefused }
  }
}
