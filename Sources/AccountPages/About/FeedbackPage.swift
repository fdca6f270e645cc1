// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTML
import Hummingbird
import Localization
import People
import Web

/// A form that mails the operators of the installation; it asks nothing about anyone's health.
package struct FeedbackPage: Sendable {
  static let path = "/feedback"
  private static let field = "message"
  private static let reply = "reply"
  private static let longest = 4_000

  var text = ""
  var mayReply = false
  /// `missing` or `too-many`.
  var problem: String?

  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    FeedbackPage().response(call)
  }

  @Sendable static func send(_ form: PostedForm) async throws -> Response {
    let call = form.call
    guard form.signedIn.actor.kind == .session else { throw Failure.notFound }
    var page = FeedbackPage(
      text: form.raw(field) ?? "", mayReply: form.isChecked(reply))
    guard let text = form.text(field), text.count <= longest else {
      page.problem = "missing"
      return page.response(call)
    }
    let environment = call.environment
    let localizer = form.localizer
    let account = form.signedIn.account
    let address = page.mayReply ? account.email : localizer.text("feedback.mail-anonymous")
    let body = [
      text,
      localizer.text(
        "feedback.mail-end",
        [
          "version": .text(ServerSettings.version), "language": .text(call.language.nativeName),
          "address": .text(address),
        ]),
    ].joined(separator: "\n\n")
    let id =
      form.text("feedback").flatMap { FHIRIdentifierText.isValidResourceID($0) ? $0 : nil }
      ?? environment.newIdentifier()
    let accounts = environment.accounts
    let isKept = try await form.run { context, writer in
      try accounts.keepFeedback(body, id: id, by: account.id, at: context.now, in: writer)
    }
    guard isKept else {
      page.problem = "too-many"
      return page.response(call)
    }
    // Unsent feedback is stored and retried when mail works again.
    let went = await FeedbackSending(environment: environment).round(subject: localizer)
    return form.redirect(to: "\(path)?done=\(went.contains(id) ? "sent" : "kept")")
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let done = call.queryValue("done").flatMap { ["sent", "kept"].contains($0) ? $0 : nil }
    var frame = call.frame()
    frame.title = localizer.text("feedback.feedback")
    frame.place = .me
    frame.lead = localizer.text("feedback.feedback-lead")
    frame.back = .init(localizer.text("feedback.title"), address: AboutRoutes.path)
    frame.scripts = [PageAssets.draft]
    frame.hasErrors = problem != nil
    frame.flash = done.map { FlashBar(localizer.text("feedback.done", ["done": .text($0)])) }
    let message = problem.map { localizer.text("feedback.problem", ["problem": .text($0)]) }
    let errors = message.map { [FieldError(field: Self.field, message: $0)] } ?? []
    let form = Form(
      action: Self.path, token: call.accountToken,
      fields: """
        <input type="hidden" name="feedback" value="\(call.environment.newIdentifier())">\
        \(FormField(
          Self.field, label: localizer.text("feedback.message"), kind: .lines(6), value: text,
          hint: localizer.text("feedback.message-hint"), error: message,
          maximumLength: Self.longest, localizer: localizer))\
        \(FormField(
          Self.reply, label: localizer.text("feedback.reply"),
          kind: .checkboxes([FieldChoice("yes", localizer.text("feedback.reply-yes"))]),
          values: mayReply ? ["yes"] : [], isRequired: false, localizer: localizer))
        """,
      buttons: Button(localizer.text("feedback.send"), icon: .check).markup)
    return call.page(
      frame,
      """
      <div class="narrow stack" id="feedback" data-sent="\(done == nil ? "no" : "yes")" \
      data-offline="\(localizer.text("feedback.offline"))" \
      data-online="\(localizer.text("feedback.online"))">\
      \(ErrorSummary(errors, localizer: localizer))\(form)\
      <p class="muted" role="status" id="draft-status"></p></div>
      """, status: problem == nil ? .ok : .unprocessableContent)
  }
}
