// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Encodings
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Presentation
import SiteMap
import Web

/// The form of a new account, with the invitation that is accepted at the same time.
struct SignUpPage: Sendable {
  let input: SignUpInput
  let offer: InvitationLookUp.Offer?
  var errors: [AccountError] = []

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("sign-up.title")
    frame.lead = localizer.text("sign-up.lead")
    if let offer {
      frame.title = localizer.text("people.offer.title", ["name": .text(offer.inviterName)])
      frame.lead = localizer.text(
        "people.offer.lead",
        [
          "relationship": .text(offer.invitation.right.relationship.rawValue),
          "name": .text(offer.patientName),
        ])
    }
    frame.hasErrors = !errors.isEmpty
    var response = call.page(frame, content(call), status: status)
    for case .tooManyAttempts(let seconds) in errors {
      response.headers[.retryAfter] = String(seconds)
    }
    return response
  }

  private var status: HTTPResponse.Status {
    switch errors.first {
    case nil: .ok
    case .tooManyAttempts, .busy: .tooManyRequests
    default: .unprocessableContent
    }
  }

  private func content(_ call: Call) -> Markup {
    let localizer = call.localizer
    let summary = errors.map {
      FieldError(
        field: SignUpText.field($0, input.way), message: SignUpText.message($0, localizer))
    }
    let other: SignUpInput.Way = input.way == .password ? .passkey : .password
    let change =
      input.way == .password
      ? localizer.text("sign-up.use-passkey") : localizer.text("sign-up.use-password")
    return """
      <div class="narrow stack">\(ErrorSummary(summary, localizer: localizer))\
      \(invitation(localizer))\
      \(LinkButton(
        localizer.text("sign-up.have-account"), address: signInAddress, kind: .secondary))\
      \(if: offer != nil, "<h2>\(localizer.text("sign-up.title"))</h2>")\
      \(input.way == .password ? passwordForm(summary, call) : passkeyForm(summary, call))\
      \(LinkButton(
        change, address: SignUpRoutes.address(code: input.code, way: other), kind: .quiet,
        icon: .lock))</div>
      """
  }

  private var signInAddress: String {
    // The parameter prevents the sign-in page from redirecting back here.
    offer.map { "/sign-in?account=yes&next=/join/\($0.invitation.code)" } ?? "/sign-in"
  }

  private func invitation(_ localizer: Localizer) -> Markup {
    guard let offer else { return Markup() }
    let right = offer.invitation.right
    let shared =
      right.relationship.actsForPatient ? nil : PeopleText.shared(right, localizer)
    return """
      \(shared.map { "<p>\($0)</p>" as Markup })<p>\(localizer.text("sign-up.consent"))</p>
      """
  }

  // MARK: Forms

  private func passwordForm(_ errors: [FieldError], _ call: Call) -> Markup {
    let localizer = call.localizer
    return Form(
      action: Address.signUp, token: FormToken(""),
      fields: """
        \(fields(errors, localizer))\
        \(PasswordText.field(error: message("password", errors), localizer))
        """,
      buttons: Button(submit(localizer)).markup
    ).markup
  }

  /// Returns the form without a password; a script asks the device for a passkey when it is sent.
  private func passkeyForm(_ errors: [FieldError], _ call: Call) -> Markup {
    let localizer = call.localizer
    let account: AccountID = call.environment.newID()
    let handle = Base64URL.encode(Array(account.text.utf8))
    return """
      <noscript>\
      \(Notice(.information, title: localizer.text("account-security.passkey.no-script")))</noscript>\
      <div data-no-passkeys hidden>\
      \(Notice(.information, title: localizer.text("account-security.passkey.none-here")))</div>\
      <form class="form" method="post" action="\(Address.signUp)" data-passkey="create" \
      data-challenge="\(call.challenge(for: .register(account: account)))" \
      data-party="\(call.relyingParty.id)" data-account="\(handle)" data-known="" novalidate hidden>\
      \(FormToken(""))\(fields(errors, localizer))\
      <input type="hidden" name="way" value="passkey">\
      <input type="hidden" name="account" value="\(account)">\
      <input type="hidden" name="client-data" value="">\
      <input type="hidden" name="attestation" value="">\
      <p class="hint">\(localizer.text("sign-up.passkey-about"))</p>\
      \(PasskeyForm.trouble(localizer))\
      \(ButtonRow("\(Button(submit(localizer), icon: .lock))"))</form>
      """
  }

  private func fields(_ errors: [FieldError], _ localizer: Localizer) -> Markup {
    """
    <input type="hidden" name="code" value="\(input.code)">\
    \(FormField(
      "name", label: localizer.text("welcome.name"), value: input.name,
      hint: localizer.text("welcome.name-hint"), error: message("name", errors),
      autocomplete: "name", maximumLength: 100, localizer: localizer))\
    \(FormField(
      "email", label: localizer.text("addresses.sign-in"), kind: .email, value: input.email,
      hint: localizer.text("addresses.hint"), error: message("email", errors),
      autocomplete: "username", localizer: localizer))
    """
  }

  private func submit(_ localizer: Localizer) -> String {
    offer == nil ? localizer.text("sign-up.submit") : localizer.text("sign-up.submit-accept")
  }

  private func message(_ field: String, _ errors: [FieldError]) -> String? {
    errors.first { $0.field == field }?.message
  }
}

/// The page that asks someone without an account for the code of an invitation.
struct SignUpCodePage: Sendable {
  let code: String
  let refusal: InvitationLookUp.Refusal?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let message = refusal?.message(localizer)
    var frame = call.frame()
    frame.title = localizer.text("sign-up.code-title")
    frame.lead = localizer.text("sign-up.code-lead")
    frame.back = .init(localizer.text("sign-in.title"), address: "/sign-in")
    frame.hasErrors = message != nil
    let field = FormField(
      "code", label: localizer.text("people.code"), value: code,
      hint: localizer.text("people.code-hint"), error: message, autocomplete: "one-time-code",
      maximumLength: 40, localizer: localizer)
    let errors = message.map { [FieldError(field: "code", message: $0)] } ?? []
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      <form class="form" method="get" action="\(Address.signUp)" novalidate>\(field)\
      \(ButtonRow("\(Button(localizer.text("people.code-check")))"))</form></div>
      """
    var response = call.page(frame, content, status: status)
    if case .tooMany(let seconds) = refusal { response.headers[.retryAfter] = String(seconds) }
    return response
  }

  private var status: HTTPResponse.Status {
    switch refusal {
    case nil: .ok
    case .tooMany: .tooManyRequests
    case .standing: .unprocessableContent
    }
  }
}

/// The page that explains why no account can be created here.
enum SignUpClosedPage {
  static func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("sign-up.closed")
    frame.back = .init(localizer.text("sign-in.title"), address: "/sign-in")
    let content: Markup = """
      <div class="narrow stack"><p>\(localizer.text("sign-up.closed-help"))</p></div>
      """
    return call.page(frame, content, status: .forbidden)
  }
}
