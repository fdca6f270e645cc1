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
import Scheduling
import SiteMap
import Storage
import Web

/// The page on which an account's access to the chosen person is changed, revoked or given up.
package enum GrantPages {
  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await page(call, signedIn, refused: nil)
  }

  @Sendable static func change(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    let account = try AccountID(form.parameter("account"))
    guard let relationship = form.text("relationship").flatMap(Relationship.init(rawValue:)) else {
      throw Failure.notFound
    }
    let environment = form.call.environment
    let accounts = environment.accounts
    let action = form.text("action")
    let categories = PeopleText.categories(form.fields)
    do {
      let note: PeopleNote = try await form.run { context, writer in
        let (actor, now) = (context.actor, context.now)
        switch action {
        case "end":
          try accounts.endGrant(
            relationship, of: patient, to: account, by: actor, at: now, in: writer)
          return .ended
        case "share":
          try accounts.share(
            categories, of: patient, with: account, as: relationship, by: actor, at: now,
            in: writer)
          return .shared
        default:
          throw Failure.unprocessable("value", "The form must name a known action.")
        }
      }
      // Access ends with the next request, and open pages are told.
      environment.sessions.forget()
      environment.live.wakeStreams(of: [patient])
      environment.live.reminders.ring()
      return form.redirect(to: note.address)
    } catch let error as GrantError where error != .notFound {
      return try await page(form.call, form.signedIn, refused: error)
    }
  }

  private static func page(
    _ call: Call, _ signedIn: SignedIn, refused: GrantError?
  ) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let account = try AccountID(call.parameter("account"))
    let isOwn = account == signedIn.account.id
    // Every account may see what is shared with it.
    if !isOwn { _ = try call.authorize(.read, "Grant", of: patient) }
    let environment = call.environment
    let (grants, zone) = try await environment.database.read { reader in
      (
        try environment.accounts.grants(of: patient, at: call.now, in: reader)
          .filter { $0.account == account },
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      )
    }
    guard !grants.isEmpty, signedIn.actor.rights[patient] != nil else { throw Failure.notFound }
    return GrantPage(
      grants: grants, isOwn: isOwn, mayManage: call.person?.mayAct ?? true, zone: zone,
      refused: refused
    ).response(call)
  }
}

/// The page of one account's grants.
struct GrantPage: Sendable {
  let grants: [Grant]
  /// True if they are the viewer's own grants.
  let isOwn: Bool
  let mayManage: Bool
  let zone: Zone
  let refused: GrantError?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = grants.first?.displayName ?? ""
    frame.place = .people
    frame.back = .init(localizer.text("people.title"), address: Address.people)
    let notice = refused.map {
      Notice(.error, title: PeopleText.refusal($0, localizer)).markup
    }
    let parts = grants.map { part($0, call) }
    return call.page(
      frame, "<div class=\"narrow stack\">\(notice)\(parts)</div>",
      status: refused == nil ? .ok : .conflict)
  }

  private func part(_ grant: Grant, _ call: Call) -> Markup {
    let localizer = call.localizer
    let relationship = grant.right.relationship
    var token = call.formToken
    // Viewers can give up their access too.
    token.mayAct = mayManage || isOwn
    let action = "/people/access/\(grant.account)"
    let share =
      mayManage && !relationship.actsForPatient
      ? Form(
        action: action, token: token,
        fields: """
          <input type="hidden" name="relationship" value="\(relationship.rawValue)">\
          <input type="hidden" name="action" value="share">\
          \(PeopleText.categoryField(grant.right.categories, error: nil, localizer))
          """,
        buttons: """
          \(Button(
            localizer.text("people.save-shared"), icon: .check, person: token.personName))
          """
      ).markup : nil
    let end = FormButton(
      localizer.text(isOwn ? "people.leave" : "people.end"), action: action, token: token,
      fields: [("relationship", relationship.rawValue), ("action", "end")], kind: .danger,
      icon: .crossInCircle, object: grant.displayName)
    return """
      <p>\(PeopleText.access(grant.right, until: grant.ends, zone: zone, localizer))</p>\(share)\
      \(if: relationship != .self_, """
        <p class="muted">\(localizer.text(isOwn ? "people.leave-help" : "people.end-help"))</p>\
        \(end)
        """)
      """
  }
}
