// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import People
import Presentation
import SiteMap
import Web

/// The page that changes the e-mail address or phone number of an account.
///
/// An e-mail address takes effect once its reader has confirmed it, a number once its code was
/// entered; until then the previous one stays. An address that the server cannot send to is set by
/// the operator, since accepting it here would reveal that another account has it.
package struct AddressPage: Sendable {
  static let path = "/account/security/address"
  static let checkPath = "/account/security/address/check"

  fileprivate enum Mistake {
    case malformed, phoneMalformed, noMail, noTexts
    case tooMany(seconds: Int)
  }

  var typed = ""
  private var mistake: Mistake?

  private init(typed: String = "", mistake: Mistake? = nil) {
    self.typed = typed
    self.mistake = mistake
  }

  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    AddressPage().response(call)
  }

  @Sendable static func submit(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let typed = form.text("address") ?? ""
    do {
      let name = try SignInName(new: typed)
      guard call.environment.channels.reaches(name) else {
        return AddressPage(typed: typed, mistake: name.isPhone ? .noTexts : .noMail)
          .response(call)
      }
      return form.redirect(to: try await sendProof(of: name, form))
    } catch let error as AccountError {
      return AddressPage(typed: typed, mistake: try Mistake(error)).response(call)
    }
  }

  /// Sends a link or a code to the account's current address.
  @Sendable static func check(_ form: PostedForm) async throws -> Response {
    let name = try SignInName(form.signedIn.account.email)
    guard form.call.environment.channels.reaches(name) else { throw Failure.notFound }
    return form.redirect(to: try await sendProof(of: name, form))
  }

  /// Sends a link or a code to an address, and returns the next page.
  ///
  /// The answer is the same if another account has the address: only its reader is told.
  private static func sendProof(
    of name: SignInName, _ form: PostedForm
  ) async throws -> String {
    let (call, environment) = (form.call, form.call.environment)
    let secret = Secret(prefix: Secret.addressPrefix, random: environment.random)
    let code = name.isPhone ? ProofCode(random: environment.random) : nil
    let (accounts, account) = (environment.accounts, form.signedIn.account.id)
    try await form.run { context, writer in
      try accounts.startAddressProof(
        secret, of: name, code: code, for: account, at: context.now, in: writer)
    }
    if let code {
      environment.accountSecurityMail.take(.code(code, number: name.text, language: call.language))
      return AddressCodePage.path
    }
    environment.accountSecurityMail.take(
      .proof(
        address: name.text,
        link: "\(environment.baseURL)\(AddressProofPage.path)/\(secret.text)",
        language: call.language))
    return AddressNote.sent.address
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("addresses.title")
    frame.lead = localizer.text("addresses.lead")
    frame.place = .me
    frame.back = .init(localizer.text("account-security.title"), address: Address.accountSecurity)
    frame.hasErrors = mistake != nil
    let message = mistake.map { $0.text(localizer) }
    let errors = message.map { [FieldError(field: "address", message: $0)] } ?? []
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      <p>\(localizer.text("addresses.how"))</p>\
      <p>\(localizer.text(
        call.environment.channels.textsArePossible ? "addresses.how-code" : "addresses.how-name"
      ))</p>\
      \(Form(
        action: Self.path, token: call.accountToken,
        fields: FormField(
          "address", label: localizer.text("addresses.new"), kind: .email, value: typed,
          hint: localizer.text("addresses.hint"), error: message, autocomplete: "username",
          maximumLength: 254, localizer: localizer).markup,
        buttons: "\(Button(localizer.text("addresses.submit")))"))</div>
      """, status: mistake?.status ?? .ok)
  }
}

extension AddressPage.Mistake {
  /// Throws any error that is not the person's mistake.
  fileprivate init(_ error: AccountError) throws {
    switch error {
    case .emailMissing, .emailMalformed: self = .malformed
    case .phoneMalformed: self = .phoneMalformed
    case .tooManyAttempts(let seconds): self = .tooMany(seconds: seconds)
    default: throw error
    }
  }

  fileprivate var status: HTTPResponse.Status {
    if case .tooMany = self { return .tooManyRequests }
    return .unprocessableContent
  }

  fileprivate func text(_ localizer: Localizer) -> String {
    switch self {
    case .malformed: localizer.text("addresses.wrong")
    case .phoneMalformed: localizer.text("addresses.country")
    case .noMail: localizer.text("addresses.no-mail")
    case .noTexts: localizer.text("addresses.no-texts")
    case .tooMany(let seconds):
      localizer.text("sign-in.too-many", ["minutes": .number((seconds + 59) / 60)])
    }
  }
}
