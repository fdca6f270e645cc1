// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import SiteMap
import Storage
import Web

/// Accepts or declines an invitation by its code, typed or opened as a link.
package enum Joining {
  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    JoinPage(code: "", message: nil).response(call)
  }

  @Sendable static func typed(_ form: PostedForm) async throws -> Response {
    let text = form.text("code") ?? ""
    switch try await look(text, form.call, form.signedIn) {
    case .offer(let known): return form.redirect(to: "/join/\(known.invitation.code)")
    case .refused(let refusal):
      return refused(refusal, code: text, form.call, form.signedIn)
    }
  }

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    switch try await look(try call.parameter("code"), call, signedIn) {
    case .offer(let known): return OfferPage(offer: known, refused: nil).response(call)
    case .refused(let refusal): return refused(refusal, call, signedIn)
    }
  }

  /// Explains why a code opens nothing; someone who already used it is told what happens next.
  private static func refused(
    _ refusal: InvitationLookUp.Refusal, code: String = "", _ call: Call, _ signedIn: SignedIn
  ) -> Response {
    if case .standing(.used(let account)) = refusal, account == signedIn.account.id {
      return call.redirect(to: Address.people)
    }
    return JoinPage(code: code, message: refusal.message(call.localizer)).response(call)
  }

  @Sendable static func decide(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let known: InvitationLookUp.Offer
    switch try await look(try form.parameter("code"), call, form.signedIn) {
    case .offer(let offer): known = offer
    case .refused(let refusal): return refused(refusal, call, form.signedIn)
    }
    guard let code = InvitationCode(typed: known.invitation.code) else { throw Failure.notFound }
    let accounts = call.environment.accounts
    let action = form.text("action")
    do {
      let note: PeopleNote = try await form.run { context, writer in
        switch action {
        case "accept":
          try accounts.accept(invitation: code, by: context.actor, at: context.now, in: writer)
          return .accepted
        case "decline":
          try accounts.decline(invitation: code, by: context.actor, at: context.now, in: writer)
          return .declined
        default:
          throw Failure.unprocessable("value", "The form must name a known action.")
        }
      }
      return form.redirect(to: note.address)
    } catch let error as GrantError {
      return OfferPage(offer: known, refused: error).response(call)
    }
  }

  /// Returns the invitation that a code opens, or the reason why it opens none.
  ///
  /// Repeated attempts have to wait.
  private static func look(
    _ text: String, _ call: Call, _ signedIn: SignedIn
  ) async throws -> InvitationLookUp.Answer {
    let key = call.environment.accounts.attemptKey("code", signedIn.account.id.text)
    return try await InvitationLookUp(call: call, buckets: [.target(key)]).find(text)
  }
}

/// The form that asks for a code.
struct JoinPage: Sendable {
  let code: String
  let message: String?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("people.join")
    frame.lead = localizer.text("people.join-lead")
    frame.place = .people
    frame.back = .init(localizer.text("people.title"), address: Address.people)
    frame.hasErrors = message != nil
    let errors = message.map { [FieldError(field: "code", message: $0)] } ?? []
    let field = FormField(
      "code", label: localizer.text("people.code"), value: code,
      hint: localizer.text("people.code-hint"), error: message, autocomplete: "one-time-code",
      maximumLength: 40, localizer: localizer)
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(Form(
        action: "/join", token: call.accountToken, fields: field.markup,
        buttons: "\(Button(localizer.text("people.code-check")))"))</div>
      """
    return call.page(frame, content, status: message == nil ? .ok : .unprocessableContent)
  }
}

/// The page on which an invitation is accepted or declined.
struct OfferPage: Sendable {
  let offer: InvitationLookUp.Offer
  let refused: GrantError?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let right = offer.invitation.right
    var frame = call.frame()
    frame.title = localizer.text("people.offer.title", ["name": .text(offer.inviterName)])
    frame.lead = localizer.text(
      "people.offer.lead",
      [
        "relationship": .text(right.relationship.rawValue), "name": .text(offer.patientName),
      ])
    frame.place = .people
    frame.back = .init(localizer.text("people.title"), address: Address.people)
    let notice = refused.map {
      Notice(.error, title: PeopleText.refusal($0, localizer)).markup
    }
    let shared =
      right.relationship.actsForPatient ? nil : PeopleText.shared(right, localizer)
    let content: Markup = """
      <div class="narrow stack">\(notice)\(shared.map { "<p>\($0)</p>" as Markup })\
      <p>\(localizer.text("people.offer.help"))</p>\
      \(ButtonRow("""
        \(button("accept", kind: .primary, icon: .check, call))\
        \(button("decline", kind: .secondary, icon: nil, call))
        """))</div>
      """
    return call.page(frame, content, status: refused == nil ? .ok : .conflict)
  }

  private func button(
    _ action: String, kind: ButtonKind, icon: Icon?, _ call: Call
  ) -> FormButton {
    FormButton(
      call.localizer.text("people.offer.action", ["action": .text(action)]),
      action: "/join/\(offer.invitation.code)", token: call.accountToken,
      fields: [("action", action)], kind: kind, icon: icon)
  }
}
