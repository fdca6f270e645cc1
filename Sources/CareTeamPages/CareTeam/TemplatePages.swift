// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import People
import Prescriptions
import Presentation
import SiteMap
import Storage
import Web

/// The page on which a practitioner sees and removes their prescription templates.
///
/// They are saved and used on the form for prescribing.
package enum TemplatePages {
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
    frame.back = .init(localizer.text("care-team.title"), address: Address.careTeam)
    let lines = templates.map { template -> Markup in
      """
      <li><strong>\(template.name)</strong>\
      \(FormButton(
        localizer.text("care-team.templates.remove"),
        action: "\(Address.prescriptionTemplates)/\(template.id)/remove",
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

  static func remove(_ form: PostedForm) async throws -> Response {
    let id = try form.parameter("template")
    return try await form.save(thenOpen: Address.prescriptionTemplates) { context, writer in
      try PrescriptionTemplates.remove(id, of: context.actor.accountID, in: writer)
    } refused: { (error: CareTeamError) in
      throw error.failure
    }
  }
}
