// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import People
import SiteMap
import Web

/// The page that changes the password; all other sessions and tokens end with the change.
package struct PasswordPage: Sendable {
  let rules: PasswordRules
  var error: AccountError?

  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    PasswordPage(rules: rules(of: signedIn)).response(call)
  }

  @Sendable static func submit(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    let environment = call.environment
    let (accounts, account) = (environment.accounts, signedIn.account)
    let password = form.raw("password") ?? ""
    do {
      let hash = try await environment.signIn.hash(
        newPassword: password, rules: rules(of: signedIn),
        context: [account.email, account.displayName])
      try await form.run { context, writer in
        try accounts.setPassword(
          hash, isShort: PasswordRules.isShort(password), of: account.id, at: context.now,
          in: writer)
      }
      environment.sessions.forget()
      let start = SessionStart(
        kind: signedIn.session?.kind ?? .passing, proof: signedIn.session?.proof ?? .password,
        device: call.deviceName)
      let secret = try await environment.signIn.openSession(
        for: account, as: start, at: call.now)
      try await SessionChanges.keepDevice(of: signedIn, for: secret, call)
      environment.live.wakeStreams(of: Set(signedIn.actor.rights.keys))
      return form.redirect(
        to: AccountSecurityNote.password.address,
        cookies: [SignInRoutes.sessionCookie(secret, kind: start.kind, call)]
          + (try await KnownDeviceCookie.setting(for: account, kind: start.kind, call)))
    } catch let error as AccountError {
      return PasswordPage(rules: rules(of: signedIn), error: error).response(call)
    }
  }

  private static func rules(of signedIn: SignedIn) -> PasswordRules {
    (signedIn.session?.secondFactor ?? SecondFactorState()).passwordRules
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("account-security.password.title")
    frame.lead = localizer.text("account-security.password.lead")
    frame.place = .me
    frame.back = .init(localizer.text("account-security.title"), address: Address.accountSecurity)
    frame.hasErrors = error != nil
    let message = error.map { PasswordText.message($0, localizer) }
    let errors = message.map { [FieldError(field: "password", message: $0)] } ?? []
    let email = call.signedIn?.account.email ?? ""
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(Form(
        action: AccountSecurityRoutes.passwordPath, token: call.accountToken,
        fields: """
          <input type="hidden" name="email" value="\(email)" autocomplete="username">\
          \(PasswordText.field(rules: rules, error: message, localizer))
          """,
        buttons: "\(Button(localizer.text("account-security.password.submit")))"))</div>
      """, status: AccountSecurityText.status(error))
  }
}
