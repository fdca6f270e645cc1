// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Web

/// The links to the providers below the sign-in form.
struct ProviderLinks: PagePart {
  let providers: [SignInProvider]
  let next: String?
  let localizer: Localizer

  var markup: Markup {
    guard !providers.isEmpty else { return Markup() }
    return """
      <p class="muted">\(localizer.text("providers.or"))</p>\
      \(ButtonRow("\(each: providers, link)"))
      """
  }

  private func link(_ provider: SignInProvider) -> Markup {
    let path = "/sign-in/with/\(provider.name)"
    return """
      \(LinkButton(
        localizer.text("providers.sign-in-with", ["name": .text(provider.label)]),
        address: next.map { QueryText.address(path, [("next", $0)]) } ?? path))
      """
  }
}

/// Explains why signing in at a provider failed, and what to do now.
struct ProviderTroublePage: Sendable {
  let provider: SignInProvider
  let trouble: ProviderTrouble

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let name: MessageArguments = ["name": .text(provider.label)]
    var frame = call.frame()
    frame.title = localizer.text("providers.trouble", name)
    let isIn = call.signedIn != nil
    let content: Markup = """
      <div class="narrow stack">\
      \(Notice(trouble == .declined ? .information : .warning, title: message(localizer, name)))\
      \(ButtonRow("""
        \(LinkButton(
          localizer.text(isIn ? "providers.title" : "sign-in.title"),
          address: isIn ? IdentitiesPage.path : "/sign-in", kind: .primary))
        """))</div>
      """
    return call.page(frame, content, status: status)
  }

  private func message(_ localizer: Localizer, _ name: MessageArguments) -> String {
    switch trouble {
    case .unknown: localizer.text("providers.unknown", name)
    case .declined: localizer.text("providers.declined", name)
    case .over: localizer.text("providers.over")
    case .unreachable: localizer.text("providers.unreachable", name)
    case .untrustworthy: localizer.text("providers.untrustworthy", name)
    }
  }

  private var status: HTTPResponse.Status {
    switch trouble {
    case .unknown: .forbidden
    case .declined: .ok
    case .over: .badRequest
    // Status 424: the failure is another server's.
    case .unreachable, .untrustworthy: HTTPResponse.Status(code: 424)
    }
  }
}

/// The page that asks for confirmation that the provider's account should sign in to this one.
struct IdentityOfferPage: Sendable {
  let provider: SignInProvider
  let label: String
  let ticket: Secret

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("providers.offer", ["name": .text(provider.label)])
    frame.back = .init(localizer.text("providers.title"), address: IdentitiesPage.path)
    let content: Markup = """
      <div class="narrow stack"><p>\(localizer.text(
        "providers.offer-about",
        ["name": .text(provider.label), "label": .text(label)]))</p>\
      \(Form(
        action: IdentitiesPage.path, token: call.accountToken,
        fields: "<input type=\"hidden\" name=\"ticket\" value=\"\(ticket.text)\">",
        buttons: """
          \(Button(localizer.text("providers.link")))\
          \(LinkButton(localizer.text("providers.keep-apart"), address: IdentitiesPage.path))
          """))</div>
      """
    return call.page(frame, content)
  }
}
