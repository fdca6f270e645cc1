// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import SiteMap
import Web

/// The people whose pages the account can open.
struct PersonListPage: Sendable {
  static let address = "\(Address.people)/family"

  let patient: PatientID
  let signedIn: SignedIn

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    PersonListPage(patient: call.patient(of: signedIn), signedIn: signedIn).response(call)
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("people.list")
    frame.place = .people
    frame.back = .people(localizer)
    // A practitioner's patients have their own pages.
    let rows = PersonSwitcher.offered(call.people, current: call.person).map { row($0, call) }
    return call.page(
      frame,
      """
      <div class="stack"><ul class="people-list" role="list">\(rows)</ul>\
      \(PersonButtons(localizer: localizer))</div>
      """)
  }

  private func row(_ person: PersonInReach, _ call: Call) -> Markup {
    let localizer = call.localizer
    let relationship = localizer.text(
      "people.relationship",
      ["relationship": .text(person.right.relationship.rawValue)])
    let shared = person.mayAct ? nil : PeopleText.shared(person.right, localizer)
    let label = person.label.text(of: person.name, localizer) ?? ""
    let open = FormButton(
      localizer.text("people.open"), action: PersonChoice.path, token: call.accountToken,
      fields: [(PersonChoice.field, person.patient.text)], kind: .secondary, icon: .person,
      object: person.name)
    let leave =
      person.isOwn
      ? nil
      : LinkButton(
        localizer.text("people.leave"),
        address: "/people/access/\(signedIn.account.id)", kind: .quiet, object: person.name)
    let isChosen = person.patient == patient
    return """
      <li class="person-row"><div class="person-text">\
      \(HeadingLevel.second.heading(Markup(text: person.name)))<p>\(relationship)</p>\
      \(shared.map { "<p class=\"muted\">\($0)</p>" as Markup })\
      <p class="muted">\(localizer.text("people.label.shown", ["label": .text(label)]))</p>\
      \(if: isChosen, "<p><strong>\(localizer.text("people.chosen"))</strong></p>")</div>\
      \(ButtonRow("\(if: isChosen, "\(leave)")\(if: !isChosen, open.markup)"))</li>
      """
  }
}
