// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import People
import Storage
import Web

/// The page that asks for the code that was sent to a phone number.
package struct AddressCodePage: Sendable {
  static let path = "/account/security/address/code"

  fileprivate enum Mistake {
    case wrong, over, taken
    case tooMany(seconds: Int)
  }

  /// The number; nil if no code is expected any more.
  private let number: SignInName?
  private var mistake: Mistake?

  private init(number: SignInName?, mistake: Mistake? = nil) {
    self.number = number
    self.mistake = mistake
  }

  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard let number = try await number(call, signedIn) else {
      return call.redirect(to: AddressPage.path)
    }
    return AddressCodePage(number: number).response(call)
  }

  @Sendable static func submit(_ form: PostedForm) async throws -> Response {
    let environment = form.call.environment
    let (accounts, account) = (environment.accounts, form.signedIn.account.id)
    let typed = form.text("code") ?? ""
    do {
      let (outcome, wasProved) = try await form.run { context, writer in
        let wasProved = try accounts.addressProved(of: account, in: writer) != nil
        let outcome = try accounts.prove(
          code: typed, of: account, at: context.now, in: writer)
        return (outcome, wasProved)
      }
      switch outcome {
      case .wrong: return try await again(.wrong, form)
      case .over: return try await again(.over, form)
      case .proved(let before):
        environment.sessions.forget()
        let after = try await environment.database.read { try accounts.account(account, in: $0) }
        guard after?.email != before.email else {
          return form.redirect(to: AddressNote.proved.address)
        }
        environment.accountSecurityMail.tellOfChange(before, wasProved: wasProved)
        return form.redirect(to: AddressNote.changed.address)
      }
    } catch AccountError.emailTaken {
      return try await again(.taken, form)
    } catch AccountError.tooManyAttempts(let seconds) {
      return try await again(.tooMany(seconds: seconds), form)
    }
  }

  private static func number(_ call: Call, _ signedIn: SignedIn) async throws -> SignInName? {
    let (accounts, account, now) = (call.environment.accounts, signedIn.account.id, call.now)
    return try await call.environment.database.read {
      try accounts.numberToProve(of: account, at: now, in: $0)
    }
  }

  private static func again(_ mistake: Mistake, _ form: PostedForm) async throws -> Response {
    AddressCodePage(number: try await number(form.call, form.signedIn), mistake: mistake)
      .response(form.call)
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("addresses.code.title")
    if let number {
      frame.lead = localizer.text("addresses.code.lead", ["number": .text(number.text)])
    }
    frame.place = .me
    frame.back = .init(localizer.text("addresses.title"), address: AddressPage.path)
    frame.hasErrors = mistake != nil
    let message = mistake.map { $0.text(localizer) }
    let errors = message.map { [FieldError(field: "code", message: $0)] } ?? []
    let form = Form(
      action: Self.path, token: call.accountToken,
      fields: FormField(
        "code", label: localizer.text("addresses.code.label"), kind: .telephone,
        hint: localizer.text("addresses.code.hint", ["minutes": .number(ProofCode.minutes)]),
        error: message, autocomplete: "one-time-code", maximumLength: 12, localizer: localizer
      ).markup,
      buttons: "\(Button(localizer.text("addresses.code.submit")))")
    var response = call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(if: number != nil, form.markup)\
      \(LinkButton(
        localizer.text("addresses.code.again"), address: AddressPage.path, kind: .quiet))</div>
      """, status: mistake?.status ?? .ok)
    if case .tooMany(let seconds) = mistake {
      response.headers[.retryAfter] = String(seconds)
    }
    return response
  }
}

extension AddressCodePage.Mistake {
  fileprivate var status: HTTPResponse.Status {
    switch self {
    case .tooMany: .tooManyRequests
    case .taken: .conflict
    case .wrong, .over: .unprocessableContent
    }
  }

  fileprivate func text(_ localizer: Localizer) -> String {
    switch self {
    case .wrong: localizer.text("addresses.code.wrong")
    case .over: localizer.text("addresses.code.over")
    case .taken: localizer.text("addresses.taken")
    case .tooMany(let seconds):
      localizer.text("sign-in.too-many", ["minutes": .number((seconds + 59) / 60)])
    }
  }
}
