// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import SiteMap
import Storage
import Web

/// The page that asks for a new proof of identity before a sensitive action, and then returns to
/// it.
package struct ProvePage: Sendable {
  let next: String
  let factor: SecondFactorState
  var error: AccountError?

  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let next = LocalPath.checked(call.queryValue("next")) ?? "/"
    return ProvePage(next: next, factor: try factor(of: call)).response(call)
  }

  @Sendable static func submit(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let next = LocalPath.checked(form.text("next")) ?? "/"
    let factor = try factor(of: call)
    do {
      let secret = try await prove(form)
      call.environment.sessions.forget()
      return form.redirect(
        to: next,
        cookies: [SignInRoutes.sessionCookie(secret, kind: form.signedIn.session?.kind, call)])
    } catch let error as AccountError {
      return ProvePage(next: next, factor: factor, error: error).response(call)
    }
  }

  private static func factor(of call: Call) throws -> SecondFactorState {
    // A token cannot prove an identity.
    guard call.session != nil, let facts = call.signedIn?.session else { throw Failure.notFound }
    return facts.secondFactor
  }

  /// Checks the given proof and returns the session's new secret.
  private static func prove(_ form: PostedForm) async throws -> Secret {
    let (call, signedIn) = (form.call, form.signedIn)
    guard let session = call.session else { throw Failure.notFound }
    let (environment, account) = (call.environment, signedIn.account)
    let signIn = environment.signIn
    if let answer = PasskeyForm.assertion(in: form.fields) {
      return try await keepingDevice(call, signedIn) {
        try await signIn.prove(
          session, with: answer, party: call.relyingParty, of: account, at: call.now)
      }
    }
    if let code = form.text("code") {
      return try await keepingDevice(call, signedIn) {
        guard
          let secret = try await signIn.prove(session, code: code, of: account, at: call.now)
        else { throw AccountError.signInRefused }
        return secret
      }
    }
    guard
      try await signIn.isPassword(form.raw("password") ?? "", of: account, at: call.now)
    else { throw AccountError.signInRefused }
    return try await keepingDevice(call, signedIn) {
      try await signIn.prove(session, by: .password, of: account, at: call.now)
    }
  }

  /// Continues the session under a new secret, and moves its reminder device to it.
  private static func keepingDevice(
    _ call: Call, _ signedIn: SignedIn, _ body: () async throws -> Secret
  ) async throws -> Secret {
    let secret = try await body()
    try await SessionChanges.keepDevice(of: signedIn, for: secret, call)
    return secret
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("account-security.prove.title")
    frame.lead = localizer.text("account-security.prove.lead")
    frame.place = .me
    frame.hasErrors = error != nil
    var response = call.page(frame, content(call), status: AccountSecurityText.status(error))
    if case .tooManyAttempts(let seconds) = error {
      response.headers[.retryAfter] = String(seconds)
    }
    return response
  }

  private func content(_ call: Call) -> Markup {
    let localizer = call.localizer
    let isCode = factor.isSetUp
    let errors = error.map {
      [
        FieldError(
          field: isCode ? "code" : "password",
          message: AccountSecurityText.message($0, localizer))
      ]
    }
    let hidden: Markup = "<input type=\"hidden\" name=\"next\" value=\"\(next)\">"
    let password = Form(
      action: Address.proof, token: call.accountToken,
      fields: """
        \(hidden)\(FormField(
          "password", label: localizer.text("sign-in.password"), kind: .password,
          autocomplete: "current-password", localizer: localizer))
        """,
      buttons: "\(Button(localizer.text("account-security.prove.submit")))")
    guard isCode else {
      return """
        <div class="narrow stack">\(ErrorSummary(errors ?? [], localizer: localizer))\
        \(password)</div>
        """
    }
    return """
      <div class="narrow stack">\(ErrorSummary(errors ?? [], localizer: localizer))\
      \(if: factor.passkeys > 0, passkey(call, hidden))\
      \(Form(
        action: Address.proof, token: call.accountToken,
        fields: "\(hidden)\(AccountSecurityText.codeField(factor, localizer))",
        buttons: "\(Button(localizer.text("account-security.prove.submit")))"))\
      \(Disclosure(localizer.text("account-security.prove.password"), password.markup))</div>
      """
  }

  private func passkey(_ call: Call, _ hidden: Markup) -> Markup {
    let act = PasskeyChallenge.Act.prove(account: call.signedIn?.account.id ?? .unknown)
    return PasskeyForm(
      action: Address.proof, token: call.accountToken, challenge: call.challenge(for: act),
      party: call.relyingParty, label: call.localizer.text("account-security.passkey.use"),
      fields: hidden, localizer: call.localizer
    ).markup
  }
}
