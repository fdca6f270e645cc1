// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import HTML
import Hummingbird
import Localization
import Presentation
import SiteMap
import Storage
import Web

/// A practitioner's home page: the table of patients, those who need attention first.
package struct CarePanelPage: Sendable {
  let model: CareDeskModel
  let requests: [CareRequests.Request]
  let isConfirmed: Bool

  /// The action that the page confirms.
  enum Done: String, Sendable {
    case accepted, declined, left, profile
  }

  static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let environment = call.environment
    let account = signedIn.account.id
    let isSession = signedIn.actor.kind == .session
    let made = try await environment.database.read { reader in
      CarePanelPage(
        model: try CareDeskModel.load(signedIn, DeskQuery(call), call, in: reader),
        requests: isSession ? try CareRequests.load(account, call, in: reader) : [],
        isConfirmed: isSession
          ? try environment.accounts.isPractitioner(account, in: reader) : false)
    }
    try await made.model.audit(call, signedIn)
    return made.response(call, signedIn)
  }

  private func response(_ call: Call, _ signedIn: SignedIn) -> Response {
    let localizer = call.localizer
    let entries = model.entries
    var frame = call.careFrame(signedIn)
    frame.title = localizer.text("care-team.title")
    frame.isLive = true
    frame.scripts = [PageAssets.desk]
    frame.flash = call.queryValue("done").flatMap(Done.init(rawValue:)).map {
      FlashBar(localizer.text("care-team.done", ["done": .text($0.rawValue)]))
    }
    if !entries.isEmpty {
      frame.lead = localizer.text(
        "care-team.lead",
        [
          "count": .number(entries.count),
          "pressing": .number(entries.count(where: \.isPressing)),
        ])
    }
    return call.page(
      frame,
      """
      <div class="desk"><div class="desk-list stack">\(each: requests, { $0.card(call) })\
      \(if: entries.isEmpty, empty(localizer),
        else: CareDeskTable(model: model, localizer: localizer, now: call.now).markup)\
      <div class="narrow">\(PlaceList(places(call)))</div></div></div>
      """)
  }

  /// Returns the text for an empty table, with the steps to a first patient.
  private func empty(_ localizer: Localizer) -> Markup {
    let next =
      isConfirmed
      ? LinkButton(
        localizer.text("care-desk.empty-code"), address: CareProfilePage.path, kind: .primary,
        icon: .person)
      : LinkButton(
        localizer.text("people.join"), address: "/join", kind: .primary, icon: .check)
    return EmptyState(
      icon: .person, text: localizer.text("care-team.empty"),
      action: ButtonRow(next.markup).markup
    ).markup
  }

  private func places(_ call: Call) -> [PlaceList.Place] {
    let localizer = call.localizer
    var places: [PlaceList.Place] = [
      .conversations(call),
      .init(
        localizer.text("caregiver-messages.title"), address: Address.caregiverMessages, icon: .bell),
      .init(localizer.text("people.join"), address: "/join", icon: .check),
    ]
    if isConfirmed {
      places.insert(
        .init(
          localizer.text("care-team.profile.title"), address: CareProfilePage.path, icon: .person),
        at: 0)
      places.append(
        .init(
          localizer.text("care-team.templates.title"), address: Address.prescriptionTemplates,
          icon: .list))
      places.append(
        .init(
          localizer.text("emergency-access.link"), address: Address.emergencyAccess, icon: .lock))
    }
    return places
  }
}
