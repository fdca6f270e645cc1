// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Storage
import Web

/// The page of the second step of signing in: one code, or a passkey.
package struct SecondStepPage: Sendable {
  static let path = "/sign-in/second"

  let factor: SecondFactorState
  let next: String?
  var error: AccountError?

  /// Returns the name of the cookie that holds the pending sign-in.
  static func cookieName(isSecure: Bool) -> String {
    isSecure ? "__Host-regimen-step" : "regimen-step"
  }

  /// Redirects here with the secret of the pending sign-in.
  static func redirect(to pending: Secret, next: String?, _ call: Call) -> Response {
    call.redirect(
      to: path + (next.map { "?next=\(QueryText.encode($0))" } ?? ""),
      cookies: [
        Cookies.setting(
          cookieName(isSecure: call.isSecure), to: pending.text,
          maximumAgeSeconds: PendingSignIn.lifetime / 1000, isSecure: call.isSecure)
      ])
  }

  @Sendable static func form(_ call: Call) async throws -> Response {
    let next = LocalPath.checked(call.queryValue("next"))
    guard let (_, waiting) = try await waiting(call) else { return again(next, call) }
    return SecondStepPage(factor: waiting.secondFactor, next: next).response(call)
  }

  @Sendable static func submit(_ call: Call) async throws -> Response {
    let form = try await FormBody.read(call)
    let next = LocalPath.checked(form.text("next"))
    guard let (secret, waiting) = try await waiting(call) else { return again(next, call) }
    do {
      let step = try await call.environment.signIn.finish(
        secret, code: form.text("code") ?? "", device: call.deviceName, at: call.now)
      return try await SignInRoutes.signedIn(by: step, kind: waiting.kind, next: next, call)
    } catch AccountError.signInOutdated {
      return again(next, call)
    } catch let error as AccountError {
      return SecondStepPage(factor: waiting.secondFactor, next: next, error: error).response(call)
    }
  }

  /// Returns this browser's pending sign-in; nil if there is none or it has expired.
  static func waiting(_ call: Call) async throws -> (secret: Secret, sign: PendingSignIn)? {
    guard let text = pendingSecret(call) else { return nil }
    let (accounts, now) = (call.environment.accounts, call.now)
    let found = try await call.environment.database.read { reader in
      try accounts.pending(text, at: now, in: reader)
    }
    return found.map { (text, $0) }
  }

  /// Returns the secret of the first step that the browser sends, unchecked.
  static func pendingSecret(_ call: Call) -> Secret? {
    guard let text = call.cookie(cookieName(isSecure: call.isSecure)), text.utf8.count < 512 else {
      return nil
    }
    return Secret(text: text)
  }

  private static func again(_ next: String?, _ call: Call) -> Response {
    call.redirect(to: "/sign-in" + (next.map { "?next=\(QueryText.encode($0))" } ?? ""))
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("account-security.second.title")
    frame.lead = localizer.text("account-security.second.lead")
    frame.hasErrors = error != nil
    var response = call.page(
      frame, content(call, localizer), status: AccountSecurityText.status(error))
    if case .tooManyAttempts(let seconds) = error {
      response.headers[.retryAfter] = String(seconds)
    }
    return response
  }

  private func content(_ call: Call, _ localizer: Localizer) -> Markup {
    let errors = error.map {
      [FieldError(field: "code", message: AccountSecurityText.message($0, localizer))]
    }
    let way: Markup =
      next.map { "<input type=\"hidden\" name=\"next\" value=\"\($0)\">" } ?? Markup()
    let passkey = PasskeyForm(
      action: PasskeySignIn.path, token: FormToken(""), challenge: call.challenge(for: .signIn),
      party: call.relyingParty, label: localizer.text("account-security.passkey.use"), fields: way,
      localizer: localizer)
    return """
      <div class="narrow stack">\(ErrorSummary(errors ?? [], localizer: localizer))\
      \(if: factor.passkeys > 0, passkey.markup)\
      \(Form(
        action: Self.path, token: FormToken(""),
        fields: "\(way)\(AccountSecurityText.codeField(factor, localizer))",
        buttons: "\(Button(localizer.text("account-security.second.submit")))"))\
      <p class="muted small">\(localizer.text("account-security.second.lost"))</p>\
      \(LinkButton(localizer.text("account-security.second.back"), address: "/sign-in", kind: .quiet))</div>
      """
  }
}
