// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Localization
import SiteMap
import Storage
import Web

/// The page on which an invited person chooses a password.
package struct InvitationPage: Sendable {
  let account: Account
  let rules: PasswordRules
  var error: AccountError?

  @Sendable static func form(_ call: Call) async throws -> Response {
    let secret = Secret(text: try call.parameter("secret"))
    let account = try await invited(by: secret, call)
    let rules = try await factor(of: account, call).passwordRules
    return InvitationPage(account: account, rules: rules).response(call)
  }

  @Sendable static func submit(_ call: Call) async throws -> Response {
    let form = try await FormBody.read(call)
    let secret = Secret(text: try call.parameter("secret"))
    let account = try await invited(by: secret, call)
    let environment = call.environment
    let factor = try await factor(of: account, call)
    let password = form.raw("password") ?? ""
    do {
      let hash = try await environment.signIn.hash(
        newPassword: password, rules: factor.passwordRules,
        context: [account.email, account.displayName])
      let accounts = environment.accounts
      let now = call.now
      let isNew = try await environment.database.write { writer in
        let isNew = try !accounts.hasPassword(account.id, in: writer)
        _ = try accounts.accept(
          invitation: secret, passwordHash: hash, isShort: PasswordRules.isShort(password),
          at: now, in: writer)
        return isNew
      }
      environment.sessions.forget()
      // The link replaces only the first step: a second factor is still required.
      guard !factor.isSetUp else {
        let step = try await environment.signIn.startSecondStep(
          for: account, kind: .trusted, at: now)
        return SecondStepPage.redirect(to: step.secret, next: nil, call)
      }
      let start = SessionStart(proof: .link, device: call.deviceName)
      let session = try await environment.signIn.openSession(for: account, as: start, at: now)
      try await SignInRoutes.endReplaced(call, by: session)
      return call.redirect(
        to: isNew ? Address.start : "/", cookies: [SignInRoutes.sessionCookie(session, call)])
    } catch let error as AccountError where error != .invitationUnknown {
      return InvitationPage(account: account, rules: factor.passwordRules, error: error)
        .response(call)
    }
  }

  private static func factor(of account: Account, _ call: Call) async throws -> SecondFactorState {
    let accounts = call.environment.accounts
    return try await call.environment.database.read {
      try accounts.secondFactor(of: account.id, in: $0)
    }
  }

  private static func invited(by secret: Secret, _ call: Call) async throws -> Account {
    let accounts = call.environment.accounts
    let now = call.now
    let account = try await call.environment.database.read { reader in
      try accounts.invited(by: secret, at: now, in: reader)
    }
    guard let account else { throw Failure.notFound }
    return account
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("invitation.title")
    frame.lead = localizer.text("invitation.lead", ["email": .text(account.email)])
    frame.hasErrors = error != nil
    let message = error.map { PasswordText.message($0, localizer) }
    let errors = message.map { [FieldError(field: "password", message: $0)] } ?? []
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(Form(
        action: frame.path, token: FormToken(""),
        fields: "\(PasswordText.field(rules: rules, error: message, localizer))",
        buttons: "\(Button(localizer.text("invitation.submit")))"))</div>
      """
    return call.page(frame, content, status: error == nil ? .ok : .unprocessableContent)
  }
}

/// The field for a new password and its mistakes, on every page that sets one.
enum PasswordText {
  static func field(
    rules: PasswordRules = PasswordRules(), error: String?, _ localizer: Localizer
  ) -> FormField {
    FormField(
      "password", label: localizer.text("password.label"), kind: .password,
      hint: localizer.text("password.hint", ["minimum": .number(rules.minimum)]),
      error: error, autocomplete: "new-password", localizer: localizer)
  }

  static func message(_ error: AccountError, _ localizer: Localizer) -> String {
    switch error {
    case .passwordTooShort(let minimum):
      localizer.text("password.too-short", ["minimum": .number(minimum)])
    case .passwordTooLong(let maximum):
      localizer.text("password.too-long", ["maximum": .number(maximum)])
    case .passwordContainsContext: localizer.text("password.contains-name")
    case .busy, .tooManyAttempts: localizer.text("sign-in.busy")
    default: localizer.text("password.common")
    }
  }
}
