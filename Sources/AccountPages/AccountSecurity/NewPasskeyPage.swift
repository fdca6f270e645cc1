// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import SiteMap
import Storage
import Web

/// Making a passkey on this device.
package struct NewPasskeyPage: Sendable {
  var name: String
  /// Those that the account has: a device that holds one makes no second.
  let known: [Passkey]
  var error: AccountError?

  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    NewPasskeyPage(name: call.deviceName, known: try await known(call, signedIn)).response(call)
  }

  @Sendable static func submit(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.checkToken(form, of: call)
    let environment = call.environment
    let (accounts, account, now) = (environment.accounts, signedIn.account.id, call.now)
    let (id, party, name) = (
      PasskeyID(environment.newIdentifier()), call.relyingParty, form.text("name") ?? ""
    )
    let random = environment.random
    do {
      guard let answer = PasskeyForm.registration(in: form) else {
        throw AccountError.passkeyRefused(.unreadable)
      }
      let codes = try await environment.database.write { writer in
        try accounts.register(
          answer, id: id, name: name, of: account, party: party, at: now, in: writer)
        return try RecoveryCodesPage.codesIfNone(
          of: account, accounts, random: random, at: now, in: writer)
      }
      environment.sessions.forget()
      guard codes.isEmpty else { return RecoveryCodesPage(codes: codes).response(call) }
      return call.redirect(to: AccountSecurityNote.passkey.address)
    } catch let error as AccountError {
      return NewPasskeyPage(name: name, known: try await known(call, signedIn), error: error)
        .response(call)
    }
  }

  private static func known(_ call: Call, _ signedIn: SignedIn) async throws -> [Passkey] {
    let accounts = call.environment.accounts
    return try await call.environment.database.read {
      try accounts.passkeys(of: signedIn.account.id, in: $0)
    }
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("account-security.passkey.title")
    frame.lead = localizer.text("account-security.passkey.lead")
    frame.place = .details
    frame.back = .init(localizer.text("account-security.title"), address: Address.accountSecurity)
    frame.hasErrors = error != nil
    return call.page(frame, content(call), status: AccountSecurityText.status(error))
  }

  private func content(_ call: Call) -> Markup {
    let localizer = call.localizer
    let message = error.map { AccountSecurityText.message($0, localizer) }
    let errors = message.map { [FieldError(field: "name", message: $0)] } ?? []
    let account = call.signedIn?.account
    let excluded = known.map { Base64URL.encode($0.credential) }.joined(separator: " ")
    let challenge = call.challenge(for: .register(account: account?.id ?? .unknown))
    return """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      <noscript>\(Notice(.information, title: localizer.text("account-security.passkey.no-script")))</noscript>\
      <div data-no-passkeys hidden>\
      \(Notice(.information, title: localizer.text("account-security.passkey.none-here")))</div>\
      <form class="form" method="post" action="\(AccountSecurityRoutes.passkeyPath)" data-passkey="create" \
      data-challenge="\(challenge)" data-party="\(call.relyingParty.id)" \
      data-account="\(Base64URL.encode(Array((account?.id ?? .unknown).text.utf8)))" \
      data-email="\(account?.email ?? "")" data-known="\(excluded)" novalidate hidden>\
      \(call.accountToken)<input type="hidden" name="client-data" value="">\
      <input type="hidden" name="attestation" value="">\
      \(FormField(
        "name", label: localizer.text("account-security.text.passkey-name"), value: name,
        hint: localizer.text("account-security.passkey.name-hint"), error: message, autocomplete: "off",
        maximumLength: AccountStore.longestPasskeyName, localizer: localizer))\
      \(PasskeyForm.trouble(localizer))\
      \(ButtonRow("\(Button(localizer.text("account-security.passkey.submit"), icon: .lock))"))</form></div>
      """
  }
}

/// Renaming a passkey and taking it away.
package enum PasskeyChanges {
  @Sendable static func submit(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.checkToken(form, of: call)
    let (accounts, account, now) = (call.environment.accounts, signedIn.account, call.now)
    let id = PasskeyID(try call.parameter("passkey"))
    if form.text("action") == "remove" {
      if let obstacle = try await LastFactor.obstacle(
        call, signedIn, isLast: { $0.passkeys == 1 && !$0.hasCodeApp })
      {
        return obstacle
      }
      try await call.environment.database.write { writer in
        guard try accounts.remove(passkey: id, of: account.id, at: now, in: writer) else {
          throw Failure.notFound
        }
      }
      call.environment.sessions.forget()
      return call.redirect(to: AccountSecurityNote.passkeyRemoved.address)
    }
    let name = form.text("name") ?? ""
    try await call.environment.database.write { writer in
      guard try accounts.rename(passkey: id, to: name, of: account.id, in: writer) else {
        throw Failure.notFound
      }
    }
    return call.redirect(to: AccountSecurityNote.passkeyRenamed.address)
  }
}
