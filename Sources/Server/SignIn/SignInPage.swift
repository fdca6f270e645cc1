// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization

/// The page with address and password.
struct SignInPage: Sendable {
  var email = ""
  var next: String?
  var error: AccountError?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("sign-in.title")
    frame.lead = localizer.text("sign-in.lead")
    frame.hasErrors = error != nil
    var response = call.page(
      frame, content(localizer, isHome: call.environment.home != nil), status: status)
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

  private func content(_ localizer: Localizer, isHome: Bool) -> Markup {
    let fields: Markup = """
      \(next.map { "<input type=\"hidden\" name=\"next\" value=\"\($0)\">" as Markup })\
      \(FormField(
        "email", label: localizer.text("sign-in.email"), kind: .email, value: email,
        autocomplete: "username", localizer: localizer))\
      \(FormField(
        "password", label: localizer.text("sign-in.password"), kind: .password,
        autocomplete: "current-password", localizer: localizer))
      """
    return """
      <div class="narrow stack">\(ErrorSummary(errors(localizer), localizer: localizer))\
      \(Form(
        action: "/sign-in", token: FormToken(""), fields: fields,
        buttons: "\(Button(localizer.text("sign-in.submit")))"))\
      <p class="muted small">\(localizer.text("sign-in.forgotten"))</p>\
      \(if: isHome, TrustRoutes.link(localizer))</div>
      """
  }

  private func errors(_ localizer: Localizer) -> [FieldError] {
    guard let error else { return [] }
    let message =
      switch error {
      case .tooManyAttempts(let seconds):
        localizer.text("sign-in.too-many", ["minutes": .number((seconds + 59) / 60)])
      case .busy: localizer.text("sign-in.busy")
      default: localizer.text("sign-in.refused")
      }
    return [FieldError(field: "email", message: message)]
  }
}
