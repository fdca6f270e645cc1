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

/// Requests from patients who found a practitioner in the directory and ask for their care.
package enum CareRequests {
  /// A request with the name that the patient sent with it.
  struct Request: Sendable {
    let id: InvitationID
    let name: String
    let right: PatientRight

    func card(_ call: Call) -> Markup {
      let localizer = call.localizer
      func button(_ action: String, _ kind: ButtonKind, _ icon: Icon?) -> FormButton {
        FormButton(
          localizer.text("care-team.request-action", ["action": .text(action)]),
          action: "/care/requests/\(id)", token: call.accountToken, fields: [("action", action)],
          kind: kind, icon: icon, object: name)
      }
      return Card(
        title: localizer.text("care-team.request", ["name": .text(name)]),
        """
        <p>\(PeopleText.shared(right, localizer))</p>\
        \(ButtonRow("\(button("accept", .primary, .check))\(button("decline", .quiet, nil))"))
        """
      ).markup
    }
  }

  static func load(
    _ account: AccountID, _ call: Call, in reader: any SQLReader
  ) throws -> [Request] {
    try call.environment.accounts.requests(to: account, at: call.now, in: reader).map {
      Request(
        id: $0.id, name: try PeopleQueries.name($0.patient, in: reader) ?? "", right: $0.right)
    }
  }

  static func answer(_ form: PostedForm) async throws -> Response {
    let id = InvitationID(try form.parameter("invitation"))
    let environment = form.call.environment
    let (accounts, actor, now) = (environment.accounts, form.signedIn.actor, form.call.now)
    guard actor.kind == .session else { throw Failure.notFound }
    let action = form.text("action")
    let done: CarePanelPage.Done = action == "accept" ? .accepted : .declined
    let asked = try await environment.database.read { reader in
      try accounts.requests(to: actor.accountID, at: now, in: reader)
    }
    guard asked.contains(where: { $0.id == id }) else { throw Failure.notFound }
    guard action == "accept" || action == "decline" else {
      throw Failure.unprocessable("value", "The form must name a known action.")
    }
    let found = try await form.run { context, writer in
      try accounts.answer(
        request: id, isAccepted: done == .accepted, by: context.actor, at: context.now, in: writer)
    }
    environment.sessions.forget()
    environment.live.wakeStreams(of: [found.patient])
    return form.redirect(to: "\(Address.careTeam)?done=\(done.rawValue)")
  }
}
