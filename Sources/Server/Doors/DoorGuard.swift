// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird

/// Why somebody who is signed in must go another way first.
enum DoorDetour: RouteDetour, Sendable, Hashable {
  /// To show again who they are; then on to a page.
  case proof(next: String)
  /// To set up a second factor.
  case secondFactor(next: String)

  /// Pages lead there; programs are told.
  package func response(at route: Route, call: Call) -> Response {
    guard route.surface == .page, call.session != nil else {
      return FailureResponse.make(failure(at: route), surface: route.surface, call: call)
    }
    return call.redirect(to: address)
  }

  private var address: String {
    switch self {
    case .proof(let next): "\(DoorRoutes.provePath)?next=\(QueryText.encode(next))"
    case .secondFactor(let next): "\(DoorRoutes.path)?next=\(QueryText.encode(next))"
    }
  }

  /// What a program is told; a page that asks for a proof is not there for it.
  private func failure(at route: Route) -> Failure {
    switch self {
    case .proof where route.surface == .page: .notFound
    case .proof:
      Failure(
        .forbidden, code: "proof",
        detail: "Sign in to a page of this server and show again who you are.")
    case .secondFactor:
      Failure(
        .forbidden, code: "second-factor", detail: "Set up a second step for signing in first.")
    }
  }
}

/// Requires more than a session if the route demands it, and a session if a token is not enough.
package struct DoorGuard: RouteGuard {
  /// Makes the guard.
  package init() {}

  private static let sessionNeeded = Failure(
    .forbidden, code: "session",
    detail: "Pages are for signed-in browsers. Programs use /api/v1 and /fhir.")

  package func check(_ route: Route, _ call: Call) throws {
    guard let signedIn = call.signedIn, route.door == .signedIn else { return }
    if signedIn.actor.scope.onlySendsVitals, !route.takesVitals {
      throw DenialReason.scopeNotAllowed
    }
    // Pages create tokens, channels, links and feeds, show their secrets and end sessions: access
    // by a leaked token must not outlast the token.
    if route.surface == .page, call.session == nil { throw Self.sessionNeeded }
    let isSending = call.request.method != .get && call.request.method != .head
    if signedIn.actor.scope.onlyReads, isSending {
      throw DenialReason.scopeNotAllowed
    }
    if !route.isForSettingUp, call.environment.settings.requiresSecondFactor,
      signedIn.session?.mustSetUp(at: call.now) == true
    {
      throw DoorDetour.secondFactor(next: isSending ? "/" : call.request.uri.string)
    }
    guard let (policy, from) = route.proof else { return }
    try call.requireProof(policy, from: isSending ? from : call.request.uri.string)
  }
}

extension Call {
  /// Goes on only where the session has shown enough lately; else it leads to where that is done
  /// and back to a page.
  ///
  /// A token has no proof to give.
  func requireProof(_ policy: ProofPolicy, from page: String) throws {
    let isSending = request.method != .get && request.method != .head
    guard signedIn?.session.map({ policy.isMet(by: $0, at: now, isSending: isSending) }) == true
    else { throw DoorDetour.proof(next: page) }
  }

  /// Where passkeys of this address belong to.
  var relyingParty: RelyingParty {
    let origin = baseURL
    let authority = origin.split(separator: "/").last.map(String.init) ?? "localhost"
    let host = authority.hasPrefix("[") ? authority : String(authority.prefix { $0 != ":" })
    return RelyingParty(id: host.lowercased(), origin: origin)
  }

  /// Browser and system in two words, for lists of sessions.
  var deviceName: String {
    DeviceName.words(of: request.headers[.userAgent] ?? "")
  }
}
