// SPDX-License-Identifier: Apache-2.0

import Accounts
import Hummingbird
import Web

/// Signs people in with a passkey, on its own or in place of the second step.
package enum PasskeySignIn {
  static let path = "/sign-in/passkey"

  @Sendable static func submit(_ call: Call) async throws -> Response {
    let form = try await FormBody.read(call)
    let next = LocalPath.checked(form.text("next"))
    // The choice that the device is shared was made before the second step.
    let kind = try await SecondStepPage.waiting(call)?.sign.kind ?? .trusted
    do {
      guard let answer = PasskeyForm.assertion(in: form) else {
        throw AccountError.passkeyRefused(.unreadable)
      }
      let step = try await call.environment.signIn.open(
        answer, party: call.relyingParty, instead: SecondStepPage.pendingSecret(call), kind: kind,
        device: call.deviceName, at: call.now)
      return try await SignInRoutes.signedIn(by: step, kind: kind, next: next, call)
    } catch let error as AccountError {
      return SignInPage(next: next, error: error).response(call)
    }
  }
}
