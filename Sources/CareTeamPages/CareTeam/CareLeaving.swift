// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import People
import Presentation
import SiteMap
import Web

/// The page and the form with which a practitioner ends the care of a patient.
package enum CareLeaving {
  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let access = try await PractitionerAccess.open(call, signedIn)
    let localizer = call.localizer
    var frame = call.careFrame(signedIn)
    frame.title = localizer.text("care-team.leave.title", ["name": .text(access.name)])
    frame.back = .init(access.name, address: access.address)
    return call.page(
      frame,
      """
      <div class="narrow stack">\
      \(Notice(
        .warning, title: localizer.text("care-team.leave.effect"),
        "<p>\(localizer.text("care-team.leave.plans"))</p>"))\
      \(ButtonRow("""
        \(FormButton(
          localizer.text("care-team.leave.confirm"), action: "\(access.address)/leave",
          token: call.accountToken, fields: [("action", "end")], kind: .danger,
          icon: .crossInCircle, object: access.name))\
        \(LinkButton(localizer.text("medicines.form.cancel"), address: access.address))
        """))</div>
      """)
  }

  static func submit(_ form: PostedForm) async throws -> Response {
    let access = try await PractitionerAccess.open(form.call, form.signedIn)
    guard form.text("action") == "end" else {
      throw Failure.unprocessable("value", "The form must name a known action.")
    }
    let environment = form.call.environment
    let accounts = environment.accounts
    try await form.run { context, writer in
      try accounts.endGrant(
        .practitioner, of: access.patient, to: context.actor.accountID, by: context.actor,
        at: context.now, in: writer)
    }
    environment.sessions.forget()
    environment.live.wakeStreams(of: [access.patient])
    return form.redirect(to: "\(Address.careTeam)?done=left")
  }
}
