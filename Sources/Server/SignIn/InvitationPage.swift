// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Localization
import Storage

/// The page on which somebody who was invited chooses a password.
struct InvitationPage: Sendable {
  let account: Account
  var error: AccountError?

  @Sendable static func form(_ call: Call) async throws -> Response {
    let secret = Secret(text: try call.parameter("secret"))
    return InvitationPage(account: try await invited(by: secret, call)).response(call)
  }

  @Sendable static func submit(_ call: Call) async throws -> Response {
    let form = try await FormBody.read(call)
    let secret = Secret(text: try call.parameter("secret"))
    let account = try await invited(by: secret, call)
    let environment = call.environment
    do {
      let hash = try await environment.signIn.hash(
        newPassword: form.raw("password") ?? "", rules: PasswordRules(),
        context: [account.email, account.displayName])
      let accounts = environment.accounts
      let now = call.now
      _ = try await environment.database.write { writer in
        try accounts.accept(invitation: secret, passwordHash: hash, at: now, in: writer)
      }
      environment.sessions.forget()
      let session = try await environment.signIn.openSession(for: account, at: now)
      return call.redirect(to: "/", cookies: [SignInRoutes.sessionCookie(session, call)])
    } catch let error as AccountError where error != .invitationUnknown {
      return InvitationPage(account: account, error: error).response(call)
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
    let message = error.map { PasswordWords.message($0, localizer) }
    let errors = message.map { [FieldError(field: "password", message: $0)] } ?? []
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(Form(
        action: frame.path, token: FormToken(""),
        fields: "\(PasswordWords.field(error: message, localizer))",
        buttons: "\(Button(localizer.text("invitation.submit")))"))</div>
      """
    return call.page(frame, content, status: error == nil ? .ok : .unprocessableContent)
  }
}

/// The field for a new password and what may be wrong with it, wherever one is chosen.
enum PasswordWords {
  static func field(error: String?, _ localizer: Localizer) -> FormField {
    FormField(
      "password", label: localizer.text("password.label"), kind: .password,
      hint: localizer.text("password.hint", ["minimum": .number(PasswordRules().minimum)]),
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
