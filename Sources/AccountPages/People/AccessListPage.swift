// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The accounts with access to the chosen person, and the open invitations.
struct AccessListPage: Sendable {
  static let address = "\(Address.people)/sharing"

  let grants: [Grant]
  let invitations: [GrantInvitation]
  let zone: Zone

  /// Returns the title of the page, which names the person.
  static func title(_ call: Call, _ signedIn: SignedIn) -> String {
    let name = call.person?.name ?? signedIn.account.displayName
    return call.localizer.text("people.access", ["name": .text(name)])
  }

  /// Shows the page to those who act for the person; redirects others to the overview.
  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    guard signedIn.actor.rights[patient]?.relationship.actsForPatient ?? false else {
      return call.redirect(to: Address.people)
    }
    _ = try call.authorize(.read, "Grant", of: patient)
    let environment = call.environment
    let page = try await environment.database.read { reader in
      AccessListPage(
        grants: try environment.accounts.grants(of: patient, at: call.now, in: reader),
        invitations: try environment.accounts.invitations(of: patient, at: call.now, in: reader),
        zone: try PeopleQueries.zone(patient, zones: environment.zones, in: reader))
    }
    return page.response(call, signedIn)
  }

  private func response(_ call: Call, _ signedIn: SignedIn) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = Self.title(call, signedIn)
    frame.place = .people
    frame.back = .people(localizer)
    let name = MessageArgument.text(call.person?.name ?? signedIn.account.displayName)
    let rows = grants.map { grant($0, localizer) }
    return call.page(
      frame,
      """
      <div class="stack-large"><ul class="people-list" role="list">\(rows)</ul>\
      \(ButtonRow("""
        \(LinkButton(
          localizer.text("people.share", ["name": name]), address: "/people/share",
          kind: .primary, icon: .plus))
        """))\
      \(Section(
        localizer.text("people.place.invitations-title"), id: "invitations", open(localizer)))</div>
      """)
  }

  /// Returns the invitations that wait for an answer or a confirmation.
  private func open(_ localizer: Localizer) -> Markup {
    guard !invitations.isEmpty else {
      let none = localizer.text("people.place.invitations", ["count": .number(0)])
      return "<p class=\"muted\">\(none)</p>"
    }
    let rows = invitations.map { invitation($0, localizer) }
    return "<ul class=\"people-list\" role=\"list\">\(rows)</ul>"
  }

  private func grant(_ grant: Grant, _ localizer: Localizer) -> Markup {
    let link =
      grant.right.relationship == .self_
      ? nil
      : LinkButton(
        localizer.text("people.change-access"), address: "/people/access/\(grant.account)",
        kind: .quiet, object: grant.displayName)
    return """
      <li><strong>\(grant.displayName)</strong><br>\
      \(PeopleText.access(grant.right, until: grant.ends, zone: zone, localizer))\(link)</li>
      """
  }

  private func invitation(_ invitation: GrantInvitation, _ localizer: Localizer) -> Markup {
    let state = localizer.text(
      "people.invitation-state", ["state": .text(invitation.state.rawValue)])
    return """
      <li><strong>\(state)</strong><br>\
      \(PeopleText.access(invitation.right, until: invitation.ends, zone: zone, localizer))\
      \(LinkButton(
        localizer.text("people.open-invitation"),
        address: "/people/invitations/\(invitation.id)", kind: .quiet))</li>
      """
  }
}
