// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Logging
import Storage
import Web

/// Signs people in with their account at a provider, and links such accounts.
package enum ProviderRoutes {
  /// The redirect to the provider and the callback, open to all, and the page of linked accounts.
  package static let all: [Route] = [
    .open(.get, "/sign-in/with/:provider", begin),
    .open(.get, "/sign-in/with/:provider/return", comeBack),
    .page(.get, IdentitiesPage.path, IdentitiesPage.show),
    .accountForm(IdentitiesPage.path, IdentitiesPage.confirm)
      .after(.recent, from: IdentitiesPage.path),
    .accountForm("\(IdentitiesPage.path)/:identity/remove", IdentitiesPage.remove),
  ]

  private static let cookie = "regimen-visit"

  private static func cookieName(_ call: Call) -> String {
    call.isSecure ? "__Host-\(cookie)" : cookie
  }

  private static func provider(_ call: Call) throws -> SignInProvider {
    guard let provider = call.environment.providers[try call.parameter("provider")] else {
      throw Failure.notFound
    }
    return provider
  }

  private static func returnAddress(_ provider: SignInProvider, _ call: Call) -> String {
    "\(call.baseURL)/sign-in/with/\(provider.name)/return"
  }

  /// Sends the browser to the provider, either to sign in or to link the account.
  private static func begin(_ call: Call) async throws -> Response {
    let provider = try provider(call)
    let environment = call.environment
    let now = call.now
    let visit = ProviderVisit(random: environment.random)
    let account = call.session == nil ? nil : call.signedIn?.account.id
    let address: String
    do {
      address = try await environment.providers.address(
        of: provider, visit: visit, returnAddress: returnAddress(provider, call), at: now)
    } catch {
      return ProviderTroublePage(provider: provider, trouble: .init(error)).response(call)
    }
    let purpose = ProviderVisit.Purpose(
      provider: provider.name, account: account, next: LocalPath.checked(call.queryValue("next")))
    let accounts = environment.accounts
    try await environment.database.write { writer in
      try accounts.begin(visit, purpose, at: now, in: writer)
    }
    return call.redirect(
      to: address,
      cookies: [
        Cookies.setting(
          cookieName(call), to: visit.browser.text,
          maximumAgeSeconds: ProviderVisit.lifetime / 1000, isSecure: call.isSecure)
      ])
  }

  private static func comeBack(_ call: Call) async throws -> Response {
    let provider = try provider(call)
    var response: Response
    do {
      response = try await arrive(call, provider)
    } catch let trouble as ProviderTrouble {
      response = ProviderTroublePage(provider: provider, trouble: trouble).response(call)
    } catch let error as ProviderError {
      if case .untrustworthy(let reason) = error {
        call.context.logger.warning(
          "A sign-in provider's answer was rejected",
          metadata: ["provider": .string(provider.name), "reason": .string(reason)])
      }
      response = ProviderTroublePage(provider: provider, trouble: .init(error)).response(call)
    }
    response.headers.append(
      HTTPField(
        name: .setCookie, value: Cookies.removing(cookieName(call), isSecure: call.isSecure)))
    return response
  }

  private static func arrive(_ call: Call, _ provider: SignInProvider) async throws -> Response {
    let environment = call.environment
    let accounts = environment.accounts
    let now = call.now
    guard let state = call.queryValue("state"), state.utf8.count <= 512,
      let browser = call.cookie(cookieName(call)), browser.utf8.count <= 512
    else { throw ProviderTrouble.over }
    let visit = ProviderVisit(state: Secret(text: state), browser: Secret(text: browser))
    let ended = try await environment.database.write { writer in
      try accounts.end(visit, at: now, in: writer)
    }
    // A code is never sent to a different provider (RFC 9207 names its issuer).
    guard let purpose = ended, purpose.provider == provider.name,
      call.queryValue("iss").map({ $0 == provider.issuer }) ?? true
    else { throw ProviderTrouble.over }
    guard let code = call.queryValue("code"), code.utf8.count <= 4096 else {
      throw ProviderTrouble.declined
    }
    let proven = try await environment.providers.identity(
      at: provider, code: code, visit: visit, returnAddress: returnAddress(provider, call),
      now: now)
    if let account = purpose.account {
      guard call.session != nil, call.signedIn?.account.id == account else {
        throw ProviderTrouble.over
      }
      return try await offer(proven, to: account, call, provider)
    }
    let (account, factor) = try await environment.database.write { writer in
      let account = try accounts.account(provenBy: proven, at: now, in: writer)
      return (account, try account.map { try accounts.secondFactor(of: $0.id, in: writer) })
    }
    guard let account else { throw ProviderTrouble.unknown }
    // The provider replaces only the first step: a second factor is still required.
    if factor?.isSetUp == true {
      let step = try await environment.signIn.startSecondStep(
        for: account, kind: .trusted, at: now)
      return SecondStepPage.redirect(to: step.secret, next: purpose.next, call)
    }
    let start = SessionStart(proof: .password, device: call.deviceName)
    let session = try await environment.signIn.openSession(for: account, as: start, at: now)
    try await SignInRoutes.endReplaced(call, by: session)
    let home = try await HomePage.after(session, next: purpose.next, call)
    return call.redirect(
      to: home.address, cookies: [SignInRoutes.sessionCookie(session, call)] + home.cookies)
  }

  private static func offer(
    _ proven: ProvenIdentity, to account: AccountID, _ call: Call, _ provider: SignInProvider
  ) async throws -> Response {
    let ticket = Secret(prefix: ProviderVisit.statePrefix, random: call.environment.random)
    let accounts = call.environment.accounts
    let now = call.now
    try await call.environment.database.write { writer in
      try accounts.offer(proven, ticket: ticket, to: account, at: now, in: writer)
    }
    return IdentityOfferPage(provider: provider, label: proven.label, ticket: ticket).response(call)
  }
}

/// The reason that a visit to a provider led to no sign-in, as far as the person can act on it.
enum ProviderTrouble: Error, Sendable, Hashable {
  /// No account here is linked to it; accounts are created by invitation.
  case unknown
  /// The person declined at the provider.
  case declined
  /// The visit expired, was already used, or began in another browser.
  case over
  case unreachable
  case untrustworthy

  init(_ error: ProviderError) {
    switch error {
    case .unreachable: self = .unreachable
    case .refused: self = .over
    case .untrustworthy: self = .untrustworthy
    }
  }
}
