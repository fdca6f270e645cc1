// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Localization
import People
import SiteMap
import Storage
import Web

/// Creates accounts in the browser, as far as the operator's policy allows.
///
/// The answer is always a redirect to the sign-in page, whether or not the address has an account.
/// Only signing in shows which it was, and sign-ups are limited per invitation and per network.
package enum SignUpRoutes {
  /// The page and its form, open to everyone.
  package static let all: [Route] = [
    .open(.get, Address.signUp, form),
    .open(.post, Address.signUp, submit),
  ]

  /// Returns the address of the page for an invitation.
  static func address(code: String, way: SignUpInput.Way = .password) -> String {
    var address = Address.signUp
    if !code.isEmpty { address += "?code=\(QueryText.encode(code))" }
    guard way == .passkey else { return address }
    return address + (code.isEmpty ? "?" : "&") + "way=passkey"
  }

  /// The decision about a visitor who wants an account.
  private enum Admission {
    /// Admitted, with the invitation that is accepted at the same time, if any.
    case admitted(InvitationLookUp.Offer?)
    /// Answered by another page.
    case answered(Response)
  }

  private static func form(_ call: Call) async throws -> Response {
    let code = call.queryValue("code") ?? ""
    if call.environment.setupCode != nil, try await SignInRoutes.isUnused(call) {
      return call.redirect(to: "/welcome")
    }
    if call.session != nil {
      return call.redirect(to: code.isEmpty ? "/" : "/join/\(QueryText.encode(code))")
    }
    switch try await admission(code, call) {
    case .answered(let response): return response
    case .admitted(let offer):
      let way = call.queryValue("way").flatMap(SignUpInput.Way.init(rawValue:)) ?? .password
      return SignUpPage(input: SignUpInput(code: code, way: way), offer: offer).response(call)
    }
  }

  private static func submit(_ call: Call) async throws -> Response {
    let form = try await FormBody.read(call)
    if call.environment.setupCode != nil, try await SignInRoutes.isUnused(call) {
      return call.redirect(to: "/welcome")
    }
    let input = SignUpInput(form: form)
    let offer: InvitationLookUp.Offer?
    switch try await admission(input.code, call) {
    case .answered(let response): return response
    case .admitted(let found): offer = found
    }
    var page = SignUpPage(input: input, offer: offer, errors: input.mistakes)
    guard page.errors.isEmpty else { return page.response(call) }
    let began = call.environment.uptime()
    do {
      try await NewAccount(input: input, offer: offer, call: call).create()
    } catch let error as AccountError {
      page.errors = [error]
      return page.response(call)
    } catch GrantError.codeRefused {
      // Someone else has just used the invitation.
      return SignUpCodePage(code: input.code, refusal: .standing(.used(by: nil))).response(call)
    }
    try await call.environment.keepPace(since: began)
    let next = offer.map { "\(Address.start)?code=\($0.invitation.code)" } ?? Address.start
    return call.redirect(to: "/sign-in?done=signed-up&next=\(QueryText.encode(next))")
  }

  private static func admission(_ code: String, _ call: Call) async throws -> Admission {
    let policy = call.environment.settings.signUp
    guard policy != .closed else { return .answered(SignUpClosedPage.response(call)) }
    guard !code.isEmpty else {
      return policy == .open
        ? .admitted(nil) : .answered(SignUpCodePage(code: "", refusal: nil).response(call))
    }
    let buckets = call.environment.accounts.strangerCodeBuckets(from: call.clientNetwork)
    switch try await InvitationLookUp(call: call, buckets: buckets).find(code) {
    case .offer(let offer): return .admitted(offer)
    case .refused(let refusal):
      return .answered(SignUpCodePage(code: code, refusal: refusal).response(call))
    }
  }
}

/// A new account as created from the browser.
private struct NewAccount: Sendable {
  let input: SignUpInput
  /// The invitation that the account accepts with its creation.
  let offer: InvitationLookUp.Offer?
  let call: Call

  /// Creates the account, unless the address has one: then nothing changes, after the same amount
  /// of work.
  func create() async throws {
    let environment = call.environment
    let (accounts, now, input) = (environment.accounts, call.now, input)
    let code = offer.flatMap { InvitationCode(typed: $0.invitation.code) }
    let address = try SignInName(new: input.email)
    try await environment.codeThrottle.admit(
      accounts.signUpBuckets(code: code, from: call.clientNetwork), at: now)
    let hash =
      input.way == .passkey
      ? nil
      : try await environment.signIn.hash(
        newPassword: input.password, rules: PasswordRules(), context: [input.email, input.name],
        ofStrangerFrom: call.clientNetwork)
    let registration = Registration(environment: environment)
    let new = try registration.prepared(
      input.way == .passkey ? input.account : nil, email: input.email, displayName: input.name,
      isAdministrator: false, language: call.language, at: now)
    let passkey = input.way == .passkey ? input.passkey : nil
    let (party, passkeyID) = (call.relyingParty, PasskeyID(environment.newIdentifier()))
    let device = call.deviceName.isEmpty ? "Passkey" : call.deviceName
    let isCreated = try await environment.database.write { writer in
      if let passkey {
        try accounts.checkRegistration(
          passkey, of: new.account.id, party: party, at: now, in: writer)
      }
      guard try accounts.account(named: address, in: writer) == nil else {
        writer.audit(
          AuditEntry(
            at: now, actor: .unknown, kind: .create, patient: nil, resource: "Account",
            resourceID: nil, version: nil, purpose: Purpose.administration.rawValue,
            outcome: .denied))
        return false
      }
      try registration.write(new, passwordHash: hash, by: new.account.id, in: writer)
      if let passkey {
        try accounts.register(
          passkey, id: passkeyID, name: String(device.prefix(AccountStore.longestPasskeyName)),
          of: new.account.id, party: party, at: now, in: writer)
      }
      if let code {
        try accounts.accept(invitation: code, by: new.context.actor, at: now, in: writer)
      }
      return true
    }
    if isCreated { environment.sessions.forget() }
  }
}
