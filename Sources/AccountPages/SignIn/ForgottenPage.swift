// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Localization
import Presentation
import Web

/// The page for a forgotten password.
///
/// It offers a link by mail or text, or the operator's help if neither can be sent. The answer does
/// not depend on the address having an account: the request does not even check.
package struct ForgottenPage: Sendable {
  static let path = "/sign-in/forgotten"

  var isAsked = false

  @Sendable static func form(_ call: Call) async throws -> Response {
    ForgottenPage().response(call)
  }

  @Sendable static func submit(_ call: Call) async throws -> Response {
    let form = try await FormBody.read(call)
    if let email = form.text("email"), email.utf8.count <= 254 {
      call.environment.accountSecurityMail.take(
        .recovery(AccountSecurityMail.Wish(email: email, language: call.language)))
    }
    return ForgottenPage(isAsked: true).response(call)
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("account-security.forgotten.title")
    frame.back = .init(localizer.text("sign-in.title"), address: "/sign-in")
    return call.page(frame, content(call, localizer))
  }

  private func content(_ call: Call, _ localizer: Localizer) -> Markup {
    let channels = call.environment.channels
    guard channels.mailIsPossible || channels.textsArePossible else {
      return "<div class=\"narrow stack\"><p>\(localizer.text("sign-in.forgotten"))</p></div>"
    }
    let ways = channels.textsArePossible ? (channels.mailIsPossible ? "both" : "text") : "mail"
    guard !isAsked else {
      return """
        <div class="narrow stack">\
        \(Notice(
          .information, title: localizer.text("account-security.forgotten.asked", ["ways": .text(ways)]),
          "<p>\(localizer.text("account-security.forgotten.asked-help"))</p>"))</div>
        """
    }
    return """
      <div class="narrow stack">\
      <p>\(localizer.text("account-security.forgotten.about", ["ways": .text(ways)]))</p>\
      \(Form(
        action: Self.path, token: FormToken(""),
        fields: FormField(
          "email", label: localizer.text(ways == "mail" ? "sign-in.email" : "addresses.sign-in"), kind: .email,
          autocomplete: "username", localizer: localizer
        ).markup,
        buttons: "\(Button(localizer.text("account-security.forgotten.submit")))"))</div>
      """
  }
}
