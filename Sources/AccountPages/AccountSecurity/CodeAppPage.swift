// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import People
import SiteMap
import Web

/// The setup of an authenticator app: a QR code to scan, then the first code.
package struct CodeAppPage: Sendable {
  let seed: [UInt8]
  /// The seed, sealed by this server, as the form carries it back.
  let offer: String
  var isWrong = false

  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try new(call, signedIn).response(call)
  }

  @Sendable static func submit(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let environment = call.environment
    let (accounts, account) = (environment.accounts, form.signedIn.account.id)
    let (offer, code) = (form.text("offer") ?? "", form.text("code") ?? "")
    guard let seed = accounts.openOffer(offer, to: account, at: call.now) else {
      return try new(call, form.signedIn).response(call)
    }
    let random = environment.random
    let codes = try await form.run { context, writer -> [RecoveryCode]? in
      guard
        try accounts.setUpCodeApp(
          seed: seed, code: code, of: account, at: context.now, in: writer)
      else { return nil }
      return try RecoveryCodesPage.codesIfNone(
        of: account, accounts, random: random, at: context.now, in: writer)
    }
    guard let codes else {
      return CodeAppPage(seed: seed, offer: offer, isWrong: true).response(call)
    }
    environment.sessions.forget()
    guard codes.isEmpty else { return RecoveryCodesPage(codes: codes).response(call) }
    return form.redirect(to: AccountSecurityNote.codes.address)
  }

  @Sendable static func remove(_ form: PostedForm) async throws -> Response {
    if let obstacle = try await LastFactor.obstacle(
      form, isLast: { $0.hasCodeApp && $0.passkeys == 0 })
    {
      return obstacle
    }
    let (accounts, account) = (form.call.environment.accounts, form.signedIn.account.id)
    _ = try await form.run { context, writer in
      try accounts.removeCodeApp(of: account, at: context.now, in: writer)
    }
    form.call.environment.sessions.forget()
    return form.redirect(to: AccountSecurityNote.codesRemoved.address)
  }

  private static func new(_ call: Call, _ signedIn: SignedIn) throws -> CodeAppPage {
    let seed = call.environment.random(OneTimeCode.seedLength)
    return CodeAppPage(
      seed: seed,
      offer: try call.environment.accounts.sealOffer(seed, to: signedIn.account.id, at: call.now))
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("account-security.codes.title")
    frame.lead = localizer.text("account-security.codes.lead")
    frame.place = .me
    frame.back = .init(localizer.text("account-security.title"), address: Address.accountSecurity)
    frame.hasErrors = isWrong
    return call.page(
      frame, content(call, localizer), status: isWrong ? .unprocessableContent : .ok)
  }

  private func content(_ call: Call, _ localizer: Localizer) -> Markup {
    let code = OneTimeCode(seed: seed)
    let address = code.address(
      issuer: "Regimen", account: call.signedIn?.account.email ?? "")
    let wrong = localizer.text("account-security.codes.wrong")
    let errors = isWrong ? [FieldError(field: "code", message: wrong)] : []
    return """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      <ol class="steps" role="list"><li>\(localizer.text("account-security.codes.step-app"))</li>\
      <li>\(localizer.text("account-security.codes.step-scan"))</li>\
      <li>\(localizer.text("account-security.codes.step-type"))</li></ol>\
      \(LinkPicture(address, label: localizer.text("account-security.codes.picture")))\
      \(LinkButton(localizer.text("account-security.codes.here"), address: address, kind: .quiet))\
      \(Disclosure(localizer.text("account-security.codes.by-hand"), """
        <p class="fingerprint break-anywhere" translate="no">\(code.typedSeed)</p>
        """))\
      \(Form(
        action: AccountSecurityRoutes.codesPath, token: call.accountToken,
        fields: """
          <input type="hidden" name="offer" value="\(offer)">\
          \(FormField(
            "code", label: localizer.text("account-security.codes.first"), kind: .integer,
            error: isWrong ? wrong : nil, autocomplete: "one-time-code", maximumLength: 10,
            localizer: localizer))
          """,
        buttons: "\(Button(localizer.text("account-security.codes.submit")))"))</div>
      """
  }
}
