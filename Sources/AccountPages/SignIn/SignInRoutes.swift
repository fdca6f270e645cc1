// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import People
import Reminders
import SiteMap
import Storage
import Web

/// Signs people in and out, and lets invited people choose a password.
package enum SignInRoutes {
  /// The routes; all but signing out are open to all.
  package static let all: [Route] = [
    .open(.get, "/sign-in", form),
    .open(.post, "/sign-in", submit),
    .open(.get, SecondStepPage.path, SecondStepPage.form),
    .open(.post, SecondStepPage.path, SecondStepPage.submit),
    .open(.post, PasskeySignIn.path, PasskeySignIn.submit),
    .open(.get, ForgottenPage.path, ForgottenPage.form),
    .open(.post, ForgottenPage.path, ForgottenPage.submit),
    .open(.get, OtherDevicePage.path, OtherDevicePage.waiting),
    .open(.post, OtherDevicePage.path, OtherDevicePage.open),
    .open(.get, "/sign-in/device/:secret", OtherDevicePage.offer),
    .open(.post, "/sign-in/device/:secret", OtherDevicePage.claim),
    .accountForm("/sign-out", signOut),
    .open(.get, "/invitation/:secret", InvitationPage.form),
    .open(.post, "/invitation/:secret", InvitationPage.submit),
  ]

  private static func form(_ call: Call) async throws -> Response {
    if call.environment.setupCode != nil, try await isUnused(call) {
      return call.redirect(to: "/welcome")
    }
    let next = LocalPath.checked(call.queryValue("next"))
    if call.signedIn != nil { return call.redirect(to: next ?? "/") }
    if let code = invitationCode(in: next), call.queryValue("account") == nil,
      call.environment.settings.signUp != .closed
    {
      return call.redirect(to: "\(Address.signUp)?code=\(code)")
    }
    let isSignedOut = call.cookie(signedOutCookie) != nil
    var page = SignInPage(next: next, isSignedOut: isSignedOut)
    page.isSignedUp = call.queryValue("done") == "signed-up"
    var response = page.response(call)
    if isSignedOut {
      response.headers.append(
        HTTPField(
          name: .setCookie, value: Cookies.removing(signedOutCookie, isSecure: call.isSecure)))
    }
    return response
  }

  /// Returns the code of the invitation that a stranger wanted to open; nil for every other page.
  private static func invitationCode(in next: String?) -> String? {
    guard let next, next.hasPrefix("/join/") else { return nil }
    let code = next.dropFirst("/join/".count)
    return InvitationCode(typed: String(code)).map(\.text)
  }

  /// The cookie that tells the next page once that someone signed out, so that it clears the
  /// device.
  ///
  /// It is a cookie rather than part of the address, so that no link can clear a device.
  private static let signedOutCookie = "regimen-signed-out"

  /// Returns true if there is no account yet.
  static func isUnused(_ call: Call) async throws -> Bool {
    let accounts = call.environment.accounts
    return try await call.environment.database.read { try accounts.isEmpty(in: $0) }
  }

  private static func submit(_ call: Call) async throws -> Response {
    let form = try await FormBody.read(call)
    let next = LocalPath.checked(form.text("next"))
    let email = form.text("email") ?? ""
    let kind: SessionKind = form.isChecked("shared") ? .passing : .trusted
    do {
      let step = try await call.environment.signIn.open(
        email: email, password: form.raw("password") ?? "", kind: kind, device: call.deviceName,
        known: KnownDeviceCookie.value(in: call), from: call.clientNetwork, at: call.now)
      return step.isComplete
        ? try await signedIn(by: step, kind: kind, next: next, call)
        : SecondStepPage.redirect(to: step.secret, next: next, call)
    } catch let error as AccountError {
      return SignInPage(email: email, isShared: kind == .passing, next: next, error: error)
        .response(call)
    }
  }

  /// Redirects to the requested page, with the cookie of the new session.
  static func signedIn(
    by step: SignInStep, kind: SessionKind, next: String?, _ call: Call
  ) async throws -> Response {
    try await endReplaced(call, by: step.secret)
    let waiting = SecondStepPage.cookieName(isSecure: call.isSecure)
    let spent =
      call.cookie(waiting) == nil ? [] : [Cookies.removing(waiting, isSecure: call.isSecure)]
    let home = try await HomePage.after(step.secret, next: next, call)
    return call.redirect(
      to: home.address,
      cookies: [sessionCookie(step.secret, kind: kind, call)] + spent + home.cookies
        + (try await KnownDeviceCookie.setting(for: step.account, kind: kind, call)))
  }

  /// Ends the browser's previous session, which nothing could end once its cookie is replaced.
  static func endReplaced(_ call: Call, by new: Secret) async throws {
    guard let old = call.session, let signedIn = call.signedIn else { return }
    let (accounts, former, now) = (call.environment.accounts, signedIn.account.id, call.now)
    try await call.environment.database.write { writer in
      let account = try accounts.signedIn(session: new, at: now, in: writer)?.account.id
      try accounts.endSession(old, of: former, at: now, in: writer)
      if former == account {
        // The device keeps receiving the same person's reminders.
        try PushSubscriptions.move(
          ofSession: signedIn.credential, to: SessionID(new), account: former,
          in: writer)
      } else {
        try PushSubscriptions.removeOfSession(
          signedIn.credential, account: former, at: now, in: writer)
      }
    }
    call.environment.sessions.forget()
    call.environment.live.wakeStreams(of: Set(signedIn.actor.rights.keys))
  }

  /// Returns the cookie of a new session; the server checks its expiry with each request.
  static func sessionCookie(
    _ secret: Secret, kind: SessionKind? = .trusted, _ call: Call
  ) -> String {
    let limits = SessionLimits.limits(kind ?? .passing, isPractitioner: false)
    return Cookies.setting(
      Authentication.cookieName(isSecure: call.isSecure), to: secret.text,
      maximumAgeSeconds: limits.absolute / 1000, isSecure: call.isSecure)
  }

  private static func signOut(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    if let session = call.session {
      let accounts = call.environment.accounts
      try await form.run { context, writer in
        try accounts.endSession(session, of: signedIn.account.id, at: context.now, in: writer)
        // A signed-out device receives no more reminders.
        try PushSubscriptions.removeOfSession(
          signedIn.credential, account: signedIn.account.id, at: context.now, in: writer)
      }
      call.environment.sessions.forget()
      // Wakes event streams so that they recheck their session.
      call.environment.live.wakeStreams(of: Set(signedIn.actor.rights.keys))
    }
    return signedOut(call)
  }

  /// Clears everything in the browser except queued entries, which the next page handles.
  static func signedOut(_ call: Call) -> Response {
    let isSecure = call.isSecure
    var response = call.redirect(
      to: "/sign-in",
      cookies: [
        Cookies.removing(Authentication.cookieName(isSecure: isSecure), isSecure: isSecure),
        Cookies.setting(signedOutCookie, to: "yes", maximumAgeSeconds: 300, isSecure: isSecure),
      ])
    response.headers[.clearSiteData] = "\"cache\""
    return response
  }
}
