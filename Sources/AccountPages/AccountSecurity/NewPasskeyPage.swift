// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import SiteMap
import Storage
import Web

/// The page that creates a passkey on this device.
package struct NewPasskeyPage: Sendable {
  var name: String
  /// The account's passkeys: a device with one of them does not create a second.
  let known: [Passkey]
  var error: AccountError?

  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    NewPasskeyPage(name: call.deviceName, known: try await known(call, signedIn)).response(call)
  }

  @Sendable static func submit(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let environment = call.environment
    let (accounts, account) = (environment.accounts, form.signedIn.account.id)
    let (id, party, name) = (
      PasskeyID(environment.newIdentifier()), call.relyingParty, form.text("name") ?? ""
    )
    let random = environment.random
    do {
      guard let answer = PasskeyForm.registration(in: form.fields) else {
        throw AccountError.passkeyRefused(.unreadable)
      }
      let codes = try await form.run { context, writer in
        try accounts.register(
          answer, id: id, name: name, of: account, party: party, at: context.now, in: writer)
        return try RecoveryCodesPage.codesIfNone(
          of: account, accounts, random: random, at: context.now, in: writer)
      }
      environment.sessions.forget()
      guard codes.isEmpty else { return RecoveryCodesPage(codes: codes).response(call) }
      return form.redirect(to: AccountSecurityNote.passkey.address)
    } catch let error as AccountError {
      return NewPasskeyPage(name: name, known: try await known(call, form.signedIn), error: error)
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
    frame.place = .me
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

/// Renames and removes passkeys.
package enum PasskeyChanges {
  @Sendable static func submit(_ form: PostedForm) async throws -> Response {
    let (accounts, account) = (form.call.environment.accounts, form.signedIn.account.id)
    let id = PasskeyID(try form.parameter("passkey"))
    if form.text("action") == "remove" {
      if let obstacle = try await LastFactor.obstacle(
        form, isLast: { $0.passkeys == 1 && !$0.hasCodeApp })
      {
        return obstacle
      }
      try await form.run { context, writer in
        guard try accounts.remove(passkey: id, of: account, at: context.now, in: writer) else {
          throw Failure.notFound
        }
      }
      form.call.environment.sessions.forget()
      return form.redirect(to: AccountSecurityNote.passkeyRemoved.address)
    }
    let name = form.text("name") ?? ""
    try await form.run { _, writer in
      guard try accounts.rename(passkey: id, to: name, of: account, in: writer) else {
        throw Failure.notFound
      }
    }
    return form.redirect(to: AccountSecurityNote.passkeyRenamed.address)
  }
}
