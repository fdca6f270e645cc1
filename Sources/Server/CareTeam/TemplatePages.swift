// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Storage

/// The templates of a practitioner: looked through and removed here, used and saved where one prescribes.
enum TemplatePages {
  static let path = "/care/templates"

  @Sendable static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let account = signedIn.account.id
    let templates =
      signedIn.actor.kind == .session
      ? try await call.environment.database.read {
        try PrescriptionTemplates.all(of: account, in: $0)
      } : []
    let localizer = call.localizer
    var frame = call.careFrame(signedIn)
    frame.title = localizer.text("care-team.templates.title")
    frame.lead = localizer.text("care-team.templates.lead")
    frame.back = .init(localizer.text("care-team.title"), address: CareTeamRoutes.path)
    let lines = templates.map { template -> Markup in
      """
      <li><strong>\(template.name)</strong>\
      \(FormButton(
        localizer.text("care-team.templates.remove"), action: "\(path)/\(template.id)/remove",
        token: call.accountToken, kind: .quiet, object: template.name))</li>
      """
    }
    return call.page(
      frame,
      """
      <div class="narrow stack">\
      \(lines.isEmpty
        ? EmptyState(icon: .list, text: localizer.text("care-team.templates.empty")).markup
        : "<ul class=\"people-list\" role=\"list\">\(lines)</ul>")</div>
      """)
  }

  @Sendable static func remove(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    _ = try await call.careForm()
    let (id, account) = (try call.parameter("template"), signedIn.account.id)
    do {
      try await call.environment.database.write {
        try PrescriptionTemplates.remove(id, of: account, in: $0)
      }
    } catch let error as CareTeamError {
      throw error.failure
    }
    return call.redirect(to: path)
  }

  /// What of a form is the medicine's: nothing that names the patient, the form or its days.
  static func fields(of form: FormBody) -> String {
    let others: Set<String> = [
      ForgeryGuard.field, PersonChoice.guardField, IdentityInput.nameField,
      IdentityInput.birthDateField, "prescription", "plan", "template-name", "keep", "preview",
      "more", "start", "end", InteractionStep.seenField, InteractionStep.confirmedField,
      SafetyQuestionFields.field,
    ]
    return form.pairs.filter { !others.contains($0.name) && !$0.name.hasSuffix("-slot") }
      .map { "\(QueryText.encode($0.name))=\(QueryText.encode($0.value))" }
      .joined(separator: "&")
  }
}
