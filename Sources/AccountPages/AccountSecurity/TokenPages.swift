// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Reminders
import SiteMap
import Web

/// The pages that create a token for a program, shown once, and that revoke tokens.
package struct TokenPages: Sendable {
  static let path = "/account/tokens"
  /// The offered lifetimes, in days.
  private static let choices = [30, 90, TokenLifetime.standardDays]

  var label = ""
  var scope = TokenScope.user
  var days = TokenLifetime.standardDays
  var error: AccountError?

  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    TokenPages().response(call)
  }

  /// Creates a token with the rights of the account; tokens for all patients are created on the
  /// host.
  @Sendable static func make(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let label = form.text("label") ?? ""
    guard let days = form.text("days").flatMap({ Int($0) }) else {
      throw Failure.unprocessable("value", "days must be a whole number.")
    }
    let scope: TokenScope = form.text("reach") == "read" ? .userReading : .user
    let environment = call.environment
    let secret = Secret(prefix: Secret.tokenPrefix, random: environment.random)
    let (accounts, account) = (environment.accounts, form.signedIn.account.id)
    do {
      guard !label.isEmpty else { throw AccountError.nameMissing }
      let end = try TokenLifetime.end(days: days, at: call.now)
      try await form.run { context, writer in
        try accounts.createToken(
          secret, for: account, scope: scope, label: label, expires: end, at: context.now,
          in: writer)
      }
      return made(secret, call)
    } catch AccountError.tokenLifetime(let maximum) {
      // The form does not offer this number.
      throw AccountError.tokenLifetime(maximumDays: maximum)
    } catch let error as AccountError {
      return TokenPages(label: label, scope: scope, days: days, error: error).response(call)
    }
  }

  @Sendable static func end(_ form: PostedForm) async throws -> Response {
    let id = SessionID(try form.parameter("token"))
    let environment = form.call.environment
    let (accounts, account) = (environment.accounts, form.signedIn.account.id)
    try await form.run { context, writer in
      guard try accounts.endToken(id: id, of: account, at: context.now, in: writer) else {
        throw Failure.notFound
      }
      // A device added by the token no longer receives reminders.
      try PushSubscriptions.removeOfSession(
        id, account: account, at: context.now, in: writer)
    }
    environment.sessions.forget()
    // Wakes event streams so that they recheck their token.
    environment.live.wakeStreams(of: Set(form.signedIn.actor.rights.keys))
    return form.redirect(to: ProgramsPage.ended)
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = Self.frame("tokens.make", call)
    frame.hasErrors = error != nil
    let message = error.map { error in
      if case .nameTooLong(let maximum) = error {
        return localizer.text("tokens.label-too-long", ["maximum": .number(maximum)])
      }
      return localizer.text("tokens.label-missing")
    }
    let errors = message.map { [FieldError(field: "label", message: $0)] } ?? []
    let choices = Self.choices.map { days in
      FieldChoice(String(days), localizer.text("tokens.days-choice", ["days": .number(days)]))
    }
    let reaches = ["all", "read"].map { reach in
      FieldChoice(reach, localizer.text("tokens.reach-choice", ["reach": .text(reach)]))
    }
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(Form(
        action: Self.path, token: call.accountToken,
        fields: """
          \(FormField(
            "label", label: localizer.text("tokens.label"), value: label, error: message,
            autocomplete: "off", maximumLength: AccountStore.longestTokenLabel,
            localizer: localizer))\
          \(FormField(
            "reach", label: localizer.text("tokens.reach"), kind: .select(reaches),
            value: scope == .userReading ? "read" : "all", localizer: localizer))\
          \(FormField(
            "days", label: localizer.text("tokens.days"), kind: .select(choices),
            value: String(days), localizer: localizer))
          """,
        buttons: "\(Button(localizer.text("tokens.submit"), icon: .lock))"))</div>
      """, status: AccountSecurityText.status(error))
  }

  private static func made(_ secret: Secret, _ call: Call) -> Response {
    let localizer = call.localizer
    return call.page(
      frame("tokens.made", call),
      """
      <div class="narrow stack">\
      \(Notice(.warning, title: localizer.text("tokens.once")))\
      <p class="fingerprint" translate="no"><code class="heart-secret">\(secret.text)</code></p>\
      \(LinkButton(
        localizer.text("tokens.done"), address: Address.programs, kind: .primary))</div>
      """)
  }

  private static func frame(_ title: MessageKey, _ call: Call) -> PageFrame {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text(title)
    frame.place = .me
    frame.back = .init(localizer.text("tokens.title"), address: Address.programs)
    return frame
  }
}
