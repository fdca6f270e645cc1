// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Storage
import Web

/// The page on which an administrator confirms practitioners, one by one.
package enum PractitionerPages {
  /// The address of the page.
  package static let path = "/practitioners"

  /// A mistake in the form.
  private enum Mistake: String {
    case unknown, oneself
  }

  @Sendable static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard signedIn.actor.isAdministrator else { throw Failure.notFound }
    return try await page(call, email: "", mistake: nil)
  }

  @Sendable static func confirm(_ form: PostedForm) async throws -> Response {
    guard form.signedIn.actor.isAdministrator else { throw Failure.notFound }
    let email = form.text("email") ?? ""
    guard let address = try? SignInName(email) else {
      return try await page(form.call, email: email, mistake: .unknown)
    }
    let (accounts, actor) = (form.call.environment.accounts, form.signedIn.account.id)
    return try await form.save(thenOpen: path) { context, writer in
      guard let found = try accounts.account(named: address, in: writer) else {
        throw EmergencyError.notFound
      }
      try accounts.confirmPractitioner(found.account.id, by: actor, at: context.now, in: writer)
    } refused: { (error: EmergencyError) in
      try await page(form.call, email: email, mistake: error == .oneself ? .oneself : .unknown)
    }
  }

  @Sendable static func end(_ form: PostedForm) async throws -> Response {
    guard form.signedIn.actor.isAdministrator else { throw Failure.notFound }
    let account = try AccountID(form.parameter("account"))
    let environment = form.call.environment
    let (accounts, actor) = (environment.accounts, form.signedIn.account.id)
    do {
      try await form.run { context, writer in
        try accounts.endPractitioner(account, by: actor, at: context.now, in: writer)
      }
    } catch is EmergencyError {
      throw Failure.notFound
    }
    environment.sessions.forget()
    return form.redirect(to: path)
  }

  private static func page(
    _ call: Call, email: String, mistake: Mistake?
  ) async throws -> Response {
    let environment = call.environment
    let known = try await environment.database.read { reader in
      try environment.accounts.practitioners(in: reader)
    }
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("emergency-access.practitioners.title")
    frame.place = .people
    frame.lead = localizer.text("emergency-access.practitioners.lead")
    frame.hasErrors = mistake != nil
    let message = mistake.map {
      localizer.text("emergency-access.practitioners.problem", ["problem": .text($0.rawValue)])
    }
    let errors = message.map { [FieldError(field: "email", message: $0)] } ?? []
    let lines: [Markup] = known.map { practitioner in
      """
      <li><strong>\(practitioner.displayName)</strong>\
      \(FormButton(
        localizer.text("emergency-access.practitioners.end"),
        action: "\(path)/\(practitioner.account)/end", token: call.accountToken, kind: .quiet,
        object: practitioner.displayName))</li>
      """
    }
    let field = FormField(
      "email", label: localizer.text("emergency-access.practitioners.email"), kind: .email,
      value: email, hint: localizer.text("emergency-access.practitioners.email-hint"),
      error: message,
      autocomplete: "off", maximumLength: 254, localizer: localizer)
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(if: !lines.isEmpty, "<ul class=\"people-list\" role=\"list\">\(lines)</ul>")\
      \(Form(
        action: path, token: call.accountToken, fields: field.markup,
        buttons: Button(
          localizer.text("emergency-access.practitioners.confirm"), icon: .check).markup))\
      \(ButtonRow(LinkButton(
        localizer.text("emergency-access.review.title"), address: EmergencyReview.path, icon: .list
      ).markup))</div>
      """, status: mistake == nil ? .ok : .unprocessableContent)
  }
}
