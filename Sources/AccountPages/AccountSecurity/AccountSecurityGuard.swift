// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Presentation
import SiteMap
import Web

/// Checks that a session or token is sufficient for a route.
///
/// Pages need a session, some need a recent proof of identity, and some accounts must set up a
/// second factor first.
package struct AccountSecurityGuard: RouteGuard {
  /// Creates the guard.
  package init() {}

  private static let sessionNeeded = Failure(
    .forbidden, code: "session",
    detail: "Pages need a signed-in browser. Use /api/v1 or /fhir with a token.")

  /// Throws if the call lacks what the route requires.
  ///
  /// A token with too little scope, or any token on a page, is denied; a detour leads to the page
  /// that asks for the proof or the second factor.
  package func check(_ route: Route, _ call: Call) throws {
    guard let signedIn = call.signedIn, route.audience == .signedIn else { return }
    if signedIn.actor.scope.onlySendsVitals, !route.takesVitals {
      throw DenialReason.scopeNotAllowed
    }
    if signedIn.actor.scope.app != nil, !route.takesApps { throw DenialReason.scopeNotAllowed }
    // Pages create tokens, channels, links and feeds, show their secrets and end sessions: access
    // by a leaked token must not outlast the token.
    if route.surface == .page, call.session == nil { throw Self.sessionNeeded }
    let isSending =
      call.request.method != .get && call.request.method != .head && !route.onlyReads
    if signedIn.actor.scope.onlyReads, isSending {
      throw DenialReason.scopeNotAllowed
    }
    if !route.isForSettingUp, call.environment.settings.requiresSecondFactor,
      signedIn.session?.mustSetUp(at: call.now) == true
    {
      throw AccountSecurityDetour.secondFactor(next: isSending ? "/" : call.request.uri.string)
    }
    guard let (policy, from) = route.proof else { return }
    try call.requireProof(policy, from: isSending ? from : call.request.uri.string)
  }
}

extension Call {
  /// The relying party ID for passkeys of this address.
  var relyingParty: RelyingParty {
    let origin = baseURL
    let authority = origin.split(separator: "/").last.map(String.init) ?? "localhost"
    let host = authority.hasPrefix("[") ? authority : String(authority.prefix { $0 != ":" })
    return RelyingParty(id: host.lowercased(), origin: origin)
  }

  /// The browser and system in two words, for lists of sessions.
  var deviceName: String {
    DeviceName.words(of: request.headers[.userAgent] ?? "")
  }
}
