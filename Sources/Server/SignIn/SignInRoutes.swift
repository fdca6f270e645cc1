// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import Hummingbird
import Storage

/// Signing in and out, and choosing a password by invitation.
package enum SignInRoutes {
  package static let all: [Route] = [
    .open(.get, "/sign-in", form),
    .open(.post, "/sign-in", submit),
    .page(.post, "/sign-out", signOut),
    .open(.get, "/invitation/:secret", InvitationPage.form),
    .open(.post, "/invitation/:secret", InvitationPage.submit),
  ]

  private static func form(_ call: Call) async throws -> Response {
    if call.environment.setupCode != nil, try await isUnused(call) {
      return call.redirect(to: "/welcome")
    }
    let next = LocalPath.checked(call.queryValue("next"))
    if call.signedIn != nil { return call.redirect(to: next ?? "/") }
    return SignInPage(next: next).response(call)
  }

  /// Whether nobody has an account yet.
  static func isUnused(_ call: Call) async throws -> Bool {
    let accounts = call.environment.accounts
    return try await call.environment.database.read { try accounts.isEmpty(in: $0) }
  }

  private static func submit(_ call: Call) async throws -> Response {
    let form = try await FormBody.read(call)
    let next = LocalPath.checked(form.text("next"))
    let email = form.text("email") ?? ""
    do {
      let opened = try await call.environment.signIn.open(
        email: email, password: form.raw("password") ?? "", at: call.now)
      return call.redirect(to: next ?? "/", cookies: [sessionCookie(opened.secret, call)])
    } catch let error as AccountError {
      return SignInPage(email: email, next: next, error: error).response(call)
    }
  }

  /// The cookie of a new session.
  static func sessionCookie(_ secret: Secret, _ call: Call) -> String {
    Cookies.setting(
      Authentication.cookieName(isSecure: call.isSecure), to: secret.text,
      maximumAgeSeconds: CredentialLifetime.session / 1000, isSecure: call.isSecure)
  }

  private static func signOut(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.checkToken(form, of: call)
    if let session = call.session {
      let accounts = call.environment.accounts
      let now = call.now
      try await call.environment.database.write { writer in
        try accounts.endSession(session, of: signedIn.account.id, at: now, in: writer)
        // A device that was signed out rings for nobody.
        try PushSubscriptions.removeOfSession(
          signedIn.credential, account: signedIn.account.id, at: now, in: writer)
      }
      call.environment.sessions.forget()
      // Streams of the session look whether it still is.
      call.environment.live.wakeStreams(of: Set(signedIn.actor.rights.keys))
    }
    let isSecure = call.isSecure
    var response = call.redirect(
      to: "/sign-in",
      cookies: [
        Cookies.removing(Authentication.cookieName(isSecure: isSecure), isSecure: isSecure)
      ])
    response.headers[.clearSiteData] = "\"cache\", \"storage\""
    return response
  }
}
