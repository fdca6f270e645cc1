// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Storage

/// Identifies the sender of a request, from its bearer token or session cookie.
package enum Authentication {
  struct Credentials: Sendable {
    let signedIn: SignedIn?
    let session: Secret?
    var people: [PersonInReach] = []
    var unreviewed = 0
    var facts = VisitorFacts()
  }

  /// Returns the name of the session's cookie; over https, its prefix binds it to this host.
  package static func cookieName(isSecure: Bool) -> String {
    isSecure ? "__Host-regimen" : "regimen"
  }

  /// Counts a request of an app; throws 429 if the app sends too many for the account.
  private static func countRequest(of signedIn: SignedIn, _ call: Call) throws {
    guard let app = signedIn.actor.scope.app?.app,
      let seconds = call.environment.appRequests.wait(
        of: app, for: signedIn.account.id, at: call.now)
    else { return }
    throw Failure(
      .tooManyRequests, code: "throttled",
      detail: "The app sends too many requests. Wait as long as Retry-After says.",
      headers: [.retryAfter: String(seconds)])
  }

  /// Resolves a token or a session cookie; a bad token counts as no token.
  ///
  /// If a request has an `Authorization` header, only that counts. Throws ``KeyProofError`` for a token that is bound
  /// to a key and comes without a valid proof of it, and 429 for an app that sends too many requests.
  static func credentials(of call: Call) async throws -> Credentials {
    let request = call.request
    let environment = call.environment
    let now = call.now
    if let header = request.headers[.authorization] {
      guard let (scheme, secret) = KeyBinding.parse(header) else {
        return Credentials(signedIn: nil, session: nil)
      }
      // The token of a device in the home opens one address, which reads it itself.
      guard !secret.text.hasPrefix(Secret.homeDevicePrefix) else {
        return Credentials(signedIn: nil, session: nil)
      }
      let signedIn = try await environment.sessions.resolve(
        secret, kind: .token, at: now, environment: environment, facts: []
      )?.signedIn
      if let signedIn {
        try await KeyBinding.check(signedIn, scheme, secret, call)
        try countRequest(of: signedIn, call)
      }
      return Credentials(signedIn: signedIn, session: nil)
    }
    let name = cookieName(isSecure: call.isSecure)
    guard let value = Cookies.value(of: name, in: request.headers), value.utf8.count < 512 else {
      return Credentials(signedIn: nil, session: nil)
    }
    let secret = Secret(text: value)
    let visitor = try await environment.sessions.resolve(
      secret, kind: .session, at: now, environment: environment, facts: call.parts.facts)
    return Credentials(
      signedIn: visitor?.signedIn, session: visitor == nil ? nil : secret,
      people: visitor?.people ?? [], unreviewed: visitor?.unreviewed ?? 0,
      facts: visitor?.facts ?? VisitorFacts())
  }
}
