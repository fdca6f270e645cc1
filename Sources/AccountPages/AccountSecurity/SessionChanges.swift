// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import People
import Reminders
import Storage
import Web

/// Ends sessions from the list.
package enum SessionChanges {
  /// Ends one of the account's sessions.
  @Sendable static func end(_ form: PostedForm) async throws -> Response {
    let id = SessionID(try form.parameter("session"))
    let (accounts, account) = (form.call.environment.accounts, form.signedIn.account.id)
    try await form.run { context, writer in
      guard try accounts.endSession(id: id, of: account, at: context.now, in: writer) else {
        throw Failure.notFound
      }
      try PushSubscriptions.removeOfSession(
        id, account: account, at: context.now, in: writer)
    }
    forget(form.call, form.signedIn)
    return form.redirect(to: AccountSecurityNote.ended.address)
  }

  /// Ends all other sessions, or this one too.
  @Sendable static func endAll(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    let isAll = form.text("which") == "all"
    let (accounts, account) = (call.environment.accounts, signedIn.account.id)
    let kept = isAll || call.session == nil ? nil : signedIn.credential
    try await form.run { context, writer in
      let ended = try accounts.endSessions(of: account, besides: kept, at: context.now, in: writer)
      for id in ended {
        try PushSubscriptions.removeOfSession(
          id, account: account, at: context.now, in: writer)
      }
    }
    forget(call, signedIn)
    guard isAll else {
      // This device stays known; all others become unknown.
      return form.redirect(
        to: AccountSecurityNote.endedAll.address,
        cookies: try await KnownDeviceCookie.setting(
          for: signedIn.account, kind: signedIn.session?.kind ?? .passing, call))
    }
    return SignInRoutes.signedOut(call)
  }

  /// Moves the reminder device of a session to the session that replaces it.
  static func keepDevice(
    of signedIn: SignedIn, for secret: Secret, _ call: Call
  ) async throws {
    let (old, new) = (signedIn.credential, SessionID(secret))
    let account = signedIn.account.id
    try await call.environment.database.write { writer in
      try PushSubscriptions.move(
        ofSession: old, to: new, account: account, in: writer)
    }
  }

  private static func forget(_ call: Call, _ signedIn: SignedIn) {
    call.environment.sessions.forget()
    // Wakes event streams so that they recheck their sessions.
    call.environment.live.wakeStreams(of: Set(signedIn.actor.rights.keys))
  }
}
