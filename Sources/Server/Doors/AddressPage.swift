// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Storage

/// Another e-mail address or phone number to sign in with.
///
/// An address counts when whoever reads it has said yes; until then the one before stays. A number is a
/// name alone, since nothing is sent to it.
struct AddressPage: Sendable {
  static let path = "/doors/address"
  static let checkPath = "/doors/address/check"

  fileprivate enum Mistake {
    case malformed, phoneMalformed, taken, noMail
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

  @Sendable static func submit(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.checkToken(form, of: call)
    let typed = form.text("address") ?? ""
    do {
      let name = try SignInName(typed)
      guard name.isPhone else {
        guard call.environment.channels.mailIsPossible else {
          return AddressPage(typed: typed, mistake: .noMail).response(call)
        }
        try await sendProof(of: try EmailAddress(name.text), call, signedIn)
        return call.redirect(to: AddressNote.sent.address)
      }
      try await change(to: name, call, signedIn)
      return call.redirect(to: AddressNote.changed.address)
    } catch let error as AccountError {
      return AddressPage(typed: typed, mistake: try Mistake(error)).response(call)
    }
  }

  /// Sends a link to the address that the account has.
  @Sendable static func check(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try ForgeryGuard.checkToken(try await FormBody.read(call), of: call)
    guard !signedIn.account.isByPhone, call.environment.channels.mailIsPossible else {
      throw Failure.notFound
    }
    try await sendProof(of: try EmailAddress(signedIn.account.email), call, signedIn)
    return call.redirect(to: AddressNote.sent.address)
  }

  /// The same is answered whether another account has the address or not: only whoever reads it is told.
  private static func sendProof(
    of address: EmailAddress, _ call: Call, _ signedIn: SignedIn
  ) async throws {
    let environment = call.environment
    let secret = Secret(prefix: Secret.addressPrefix, random: environment.random)
    let (accounts, account, now) = (environment.accounts, signedIn.account.id, call.now)
    try await environment.database.write { writer in
      try accounts.startAddressProof(secret, of: address, for: account, at: now, in: writer)
    }
    environment.doorMail.take(
      .proof(
        address: address.text,
        link: "\(environment.baseURL)\(AddressProofPage.path)/\(secret.text)",
        language: call.language))
  }

  private static func change(
    to name: SignInName, _ call: Call, _ signedIn: SignedIn
  ) async throws {
    let environment = call.environment
    let (accounts, account, now) = (environment.accounts, signedIn.account, call.now)
    try await environment.database.write { writer in
      try accounts.rename(account, to: name, proved: nil, at: now, in: writer)
    }
    environment.sessions.forget()
    environment.doorMail.tellOfChange(account)
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("addresses.title")
    frame.lead = localizer.text("addresses.lead")
    frame.place = .details
    frame.back = .init(localizer.text("doors.title"), address: DoorRoutes.path)
    frame.hasErrors = mistake != nil
    let message = mistake.map { $0.text(localizer) }
    let errors = message.map { [FieldError(field: "address", message: $0)] } ?? []
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      <p>\(localizer.text("addresses.how"))</p>\
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
  /// Throws what is no mistake of whoever typed.
  fileprivate init(_ error: AccountError) throws {
    switch error {
    case .emailMissing, .emailMalformed: self = .malformed
    case .phoneMalformed: self = .phoneMalformed
    case .emailTaken: self = .taken
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
    case .taken: localizer.text("addresses.taken")
    case .noMail: localizer.text("addresses.no-mail")
    case .tooMany(let seconds):
      localizer.text("sign-in.too-many", ["minutes": .number((seconds + 59) / 60)])
    }
  }
}
