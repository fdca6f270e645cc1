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

/// The content of the page of persons, except the persons themselves.
struct PeopleModel: Sendable {
  /// The grants of the chosen person; empty if the account may only look.
  let grants: [Grant]
  let invitations: [GrantInvitation]
  /// The names of those whom the account waits to be connected with.
  let waiting: [String]
  /// True if the account is confirmed as a practitioner's.
  let isPractitioner: Bool
  let zone: Zone
}

/// The persons of the account, and who sees the chosen one.
struct PeoplePage: Sendable {
  let model: PeopleModel
  let patient: PatientID
  let signedIn: SignedIn

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("people.title")
    frame.lead = localizer.text("people.lead")
    frame.place = .people
    frame.flash = call.queryValue("done").flatMap(PeopleNote.init(rawValue:))
      .map { FlashBar($0.text(localizer)) }
    return call.page(frame, content(call))
  }

  private func content(_ call: Call) -> Markup {
    let localizer = call.localizer
    // A practitioner's patients have pages of their own.
    let cards = PersonSwitcher.offered(call.people, current: call.person).map { card($0, call) }
    return """
      <div class="stack-large">\
      \(each: model.waiting, { waiting($0, localizer) })\
      \(Section(localizer.text("people.list"), "<div class=\"grid\">\(cards)</div>"))\
      \(ButtonRow("""
        \(LinkButton(localizer.text("people.add"), address: "/people/new", icon: .plus))\
        \(LinkButton(localizer.text("people.join"), address: "/join", icon: .check))
        """))\
      <div class="narrow">\(PlaceList(places(call)))</div>\(access(call))</div>
      """
  }

  /// Returns the links to everything else about people.
  private func places(_ call: Call) -> [PlaceList.Place] {
    let localizer = call.localizer
    var places: [PlaceList.Place] = [
      .conversations(call),
      .init(
        localizer.text("caregiver-messages.title"), address: Address.caregiverMessages, icon: .bell),
      .init(
        localizer.text("care-team.directory.title"), address: Address.practitionerDirectory,
        icon: .people),
      .init(localizer.text("children.title"), address: Address.children, icon: .person),
    ]
    if call.person?.mayAct ?? true {
      places.append(
        .init(
          localizer.text("emergency-card.title"), address: Address.emergencyCard, icon: .card))
    }
    if model.isPractitioner || PersonSwitcher.hasPatients(call.people) {
      places.append(
        .init(localizer.text("care-team.title"), address: Address.careTeam, icon: .list))
    }
    if model.isPractitioner {
      places.append(
        .init(
          localizer.text("emergency-access.link"), address: Address.emergencyAccess, icon: .lock))
    }
    return places
  }

  private func waiting(_ name: String, _ localizer: Localizer) -> Markup {
    Notice(
      .information, title: localizer.text("people.waiting", ["name": .text(name)])
    ).markup
  }

  private func card(_ person: PersonInReach, _ call: Call) -> Card {
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
    return Card(
      title: person.name, level: .third,
      """
      <p>\(relationship)</p>\(shared.map { "<p class=\"muted\">\($0)</p>" as Markup })\
      <p class="muted">\(localizer.text("people.label.shown", ["label": .text(label)]))</p>\
      \(if: isChosen, "<p><strong>\(localizer.text("people.chosen"))</strong></p>\(leave)")\
      \(if: !isChosen, open.markup)
      """)
  }

  // MARK: Who sees the chosen person

  private func access(_ call: Call) -> Markup {
    guard call.person?.mayAct ?? true, !model.grants.isEmpty else { return Markup() }
    let localizer = call.localizer
    let name = MessageArgument.text(call.person?.name ?? signedIn.account.displayName)
    let rows = model.grants.map { grant($0, localizer) }
    let invitations = model.invitations.map { invitation($0, localizer) }
    return Section(
      localizer.text("people.access", ["name": name]), id: "access",
      """
      <div class="stack"><ul class="people-list" role="list">\(rows)\(invitations)</ul>\
      \(ButtonRow("""
        \(LinkButton(
          localizer.text("people.share", ["name": name]), address: "/people/share",
          kind: .primary, icon: .plus))
        """))</div>
      """
    ).markup
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
      \(PeopleText.access(grant.right, until: grant.ends, zone: model.zone, localizer))\(link)</li>
      """
  }

  private func invitation(_ invitation: GrantInvitation, _ localizer: Localizer) -> Markup {
    let state = localizer.text(
      "people.invitation-state", ["state": .text(invitation.state.rawValue)])
    return """
      <li><strong>\(state)</strong><br>\
      \(PeopleText.access(invitation.right, until: invitation.ends, zone: model.zone, localizer))\
      \(LinkButton(
        localizer.text("people.open-invitation"),
        address: "/people/invitations/\(invitation.id)", kind: .quiet))</li>
      """
  }
}

/// The message about the change just made.
enum PeopleNote: String, Sendable {
  case added, confirmed, withdrawn, ended, shared, accepted, declined
  case handedOver = "handed-over"

  var address: String { "\(Address.people)?done=\(rawValue)" }

  func text(_ localizer: Localizer) -> String {
    localizer.text("people.done", ["done": .text(rawValue)])
  }
}
