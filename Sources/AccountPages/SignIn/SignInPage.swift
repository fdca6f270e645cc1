// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import SiteMap
import Web

/// The page that asks for address and password.
struct SignInPage: Sendable {
  var email = ""
  /// True if other people use the device too.
  var isShared = false
  var next: String?
  /// True if someone has just signed out on this device.
  var isSignedOut = false
  /// True if someone has just sent the form of a new account.
  var isSignedUp = false
  var error: AccountError?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("sign-in.title")
    frame.lead = localizer.text("sign-in.lead")
    frame.hasErrors = error != nil
    frame.isSignedOut = isSignedOut
    var response = call.page(
      frame, content(call, localizer), status: status)
    if case .tooManyAttempts(let seconds) = error {
      response.headers[.retryAfter] = String(seconds)
    }
    return response
  }

  private var status: HTTPResponse.Status {
    switch error {
    case nil: .ok
    case .tooManyAttempts, .busy: .tooManyRequests
    default: .unprocessableContent
    }
  }

  private func content(_ call: Call, _ localizer: Localizer) -> Markup {
    let way: Markup =
      next.map { "<input type=\"hidden\" name=\"next\" value=\"\($0)\">" } ?? Markup()
    let fields: Markup = """
      \(way)\
      \(FormField(
        "email", label: localizer.text("addresses.sign-in"), kind: .email, value: email,
        autocomplete: "username", localizer: localizer))\
      \(FormField(
        "password", label: localizer.text("sign-in.password"), kind: .password,
        autocomplete: "current-password", localizer: localizer))\
      \(FormField(
        "shared", label: localizer.text("account-security.shared.label"),
        kind: .checkboxes([
          FieldChoice(
            "yes", localizer.text("account-security.shared.choice"), hint: localizer.text("account-security.shared.hint"))
        ]), values: isShared ? ["yes"] : [], isRequired: false, localizer: localizer))
      """
    let passkey = PasskeyForm(
      action: PasskeySignIn.path, token: FormToken(""), challenge: call.challenge(for: .signIn),
      party: call.relyingParty, label: localizer.text("account-security.passkey.sign-in"),
      fields: way, kind: .secondary, localizer: localizer)
    return """
      <div class="narrow stack">\(ErrorSummary(errors(localizer), localizer: localizer))\
      \(if: isSignedUp, Notice(
        .information, title: localizer.text("sign-up.done"),
        "<p>\(localizer.text("sign-up.done-help"))</p>").markup)\
      \(Form(
        action: "/sign-in", token: FormToken(""), fields: fields,
        buttons: "\(Button(localizer.text("sign-in.submit")))"))\(passkey)\
      \(ProviderLinks(
        providers: call.environment.providers.all, next: next, localizer: localizer))\
      \(LinkButton(
        localizer.text("account-security.forgotten.link"), address: ForgottenPage.path, kind: .quiet))\
      \(if: mayOfferAccount(call), LinkButton(
        localizer.text("sign-up.title"), address: Address.signUp, kind: .quiet).markup)\
      \(if: call.environment.home != nil, """
        <p class="muted small"><a href="\(Address.trust)">\(localizer.text("trust.link"))</a></p>
        """)</div>
      """
  }

  /// Returns true if someone without an account can get one here: with a code, or freely.
  private func mayOfferAccount(_ call: Call) -> Bool {
    !isSignedUp && call.environment.settings.signUp != .closed
  }

  private func errors(_ localizer: Localizer) -> [FieldError] {
    guard let error else { return [] }
    let message =
      switch error {
      case .tooManyAttempts(let seconds):
        localizer.text("sign-in.too-many", ["minutes": .number((seconds + 59) / 60)])
      case .busy: localizer.text("sign-in.busy")
      case .signInOutdated, .passkeyRefused: AccountSecurityText.message(error, localizer)
      default: localizer.text("sign-in.refused")
      }
    return [FieldError(field: "email", message: message)]
  }
}
