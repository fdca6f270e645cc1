// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
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

/// The state of everything about people, for the overview.
struct PeopleModel: Sendable {
  /// The grants of the chosen person; empty if the account may only look.
  let grants: [Grant]
  let invitations: [GrantInvitation]
  /// The names of the people whose confirmation the account is waiting for.
  let waiting: [String]
  /// True if the account is confirmed as a practitioner's.
  let isPractitioner: Bool
  /// The names of the children in reach.
  let children: [String]
  /// The number of unseen messages about anyone.
  let unseenMessages: Int
  /// The names of the apps that can be opened for the chosen person.
  let apps: [String]
  /// The number of emergency cards that helpers can open; nil if the account may not know.
  let openCards: Int?

  /// Reads the state; the caller has checked that the account may see the patient's grants.
  static func read(
    _ call: Call, _ signedIn: SignedIn, mayManage: Bool, in reader: any SQLReader
  ) throws -> PeopleModel {
    let patient = call.patient(of: signedIn)
    let accounts = call.environment.accounts
    let waiting = try accounts.acceptedInvitations(
      by: signedIn.account.id, at: call.now, in: reader)
    let seesCards = (try? call.authorize(.read, EmergencyCards.resource, of: patient)) != nil
    return PeopleModel(
      grants: mayManage ? try accounts.grants(of: patient, at: call.now, in: reader) : [],
      invitations: mayManage ? try accounts.invitations(of: patient, at: call.now, in: reader) : [],
      waiting: try waiting.map { invitation in
        try PeopleQueries.name(invitation.patient, in: reader) ?? ""
      },
      isPractitioner: try accounts.isPractitioner(signedIn.account.id, in: reader),
      children: try children(call, in: reader),
      unseenMessages: try CaregiverMessageQueries.inbox(
        of: signedIn.account.id, rights: signedIn.actor.rights, in: reader
      ).count { $0.notice.seen == nil },
      apps: mayManage ? try accounts.launchableApps(in: reader).map(\.name) : [],
      openCards: seesCards ? try EmergencyCards.count(of: patient, at: call.now, in: reader) : nil)
  }

  /// Returns the names of those in reach who are known to be under 18.
  private static func children(_ call: Call, in reader: any SQLReader) throws -> [String] {
    try PersonSwitcher.offered(call.people, current: call.person).filter { person in
      guard (try? call.authorize(.read, "Patient", of: person.patient)) != nil,
        (try? call.authorize(.read, "MedicationRequest", of: person.patient)) != nil,
        let born = try PeopleQueries.details(person.patient, in: reader)?.details.birthDate
      else { return false }
      let zone = try PeopleQueries.zone(person.patient, zones: call.environment.zones, in: reader)
      let today = zone.date(at: Instant(milliseconds: call.now.milliseconds))
      return born.adding(months: 18 * 12) > today
    }.map(\.name)
  }
}

/// The overview of people: each page with its state.
struct PeoplePage: Sendable {
  let model: PeopleModel
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
    return """
      <div class="narrow stack">\
      \(each: model.waiting, { waiting($0, localizer) })\
      \(PlaceList(places(call)))\(PersonButtons(localizer: localizer))</div>
      """
  }

  /// Returns the pages about people, each with its state.
  private func places(_ call: Call) -> [PlaceList.Place] {
    let localizer = call.localizer
    let text = PeopleStateText(localizer: localizer)
    let mayAct = call.person?.mayAct ?? true
    // A practitioner's patients have their own pages.
    let people = PersonSwitcher.offered(call.people, current: call.person)
    var places: [PlaceList.Place] = [
      .init(
        localizer.text("people.list"), address: PersonListPage.address, icon: .people,
        hint: text.names(people.map(\.name)))
    ]
    if mayAct, !model.grants.isEmpty { places += access(call, text) }
    let others: [PlaceList.Place] = [
      chat(call, text),
      .init(
        localizer.text("caregiver-messages.title"), address: Address.caregiverMessages, icon: .bell,
        hint: text.messages(model.unseenMessages)),
      .init(
        localizer.text("care-team.directory.title"), address: Address.practitionerDirectory,
        icon: .search, hint: mayAct ? text.team(team) : nil),
      .init(
        localizer.text("children.title"), address: Address.children, icon: .person,
        hint: text.children(model.children)),
    ]
    places += others
    if mayAct {
      places.append(
        .init(
          localizer.text("emergency-card.title"), address: Address.emergencyCard, icon: .card,
          hint: model.openCards.map(text.cards)))
    }
    if !model.apps.isEmpty {
      places.append(
        .init(
          localizer.text("apps.start-title"), address: Address.appGallery, icon: .phone,
          hint: text.names(model.apps)))
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

  /// The conversations; the number of new messages is part of their title.
  private func chat(_ call: Call, _ text: PeopleStateText) -> PlaceList.Place {
    guard call.newMessages == 0 else { return .conversations(call) }
    return PlaceList.Place(
      call.localizer.text("chat.title"), address: Address.conversations, icon: .message,
      hint: text.messages(0))
  }

  /// The names of the practitioners with access to the chosen person.
  private var team: [String] {
    model.grants.filter { $0.right.relationship == .practitioner }.map(\.displayName)
  }

  private func access(_ call: Call, _ text: PeopleStateText) -> [PlaceList.Place] {
    let others = model.grants.filter { $0.account != signedIn.account.id }.map(\.displayName)
    let toConfirm = model.invitations.count { $0.state == .accepted }
    return [
      .init(
        AccessListPage.title(call, signedIn), address: AccessListPage.address, icon: .link,
        hint: text.access(others)),
      .init(
        call.localizer.text("people.place.invitations-title"),
        address: "\(AccessListPage.address)#invitations", icon: .check,
        hint: text.invitations(toConfirm: toConfirm, open: model.invitations.count)),
    ]
  }

  private func waiting(_ name: String, _ localizer: Localizer) -> Markup {
    Notice(
      .information, title: localizer.text("people.waiting", ["name": .text(name)])
    ).markup
  }
}

/// The buttons that add a person.
struct PersonButtons: PagePart {
  let localizer: Localizer

  var markup: Markup {
    ButtonRow(
      """
      \(LinkButton(localizer.text("people.add"), address: "/people/new", icon: .plus))\
      \(LinkButton(localizer.text("people.join"), address: "/join", icon: .check))
      """
    ).markup
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
