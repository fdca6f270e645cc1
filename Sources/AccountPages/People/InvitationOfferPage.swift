// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Presentation
import Scheduling
import SiteMap
import Web

/// An invitation as its owner sees it: code, link and QR code until someone accepts it, then that
/// account, to confirm.
struct InvitationOfferPage: Sendable {
  let invitation: GrantInvitation
  let accepted: Account?
  let zone: Zone
  let refused: GrantError?
  /// True if the accepting account has verified the address shown.
  let isAddressProved: Bool
  /// The address typed into the e-mail form, and the outcome.
  var typedAddress = ""
  var mailed: InvitationMailing.Outcome?
  /// The practitioner who was invited directly; the code then works for no one.
  var asked: Account?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text(
      "people.invitation.title", ["state": .text(invitation.state.rawValue)])
    frame.lead = PeopleText.access(
      invitation.right, until: invitation.ends, zone: zone, localizer)
    frame.place = .people
    frame.back = .init(localizer.text("people.title"), address: Address.people)
    let notice = refused.map {
      Notice(.error, title: PeopleText.refusal($0, localizer)).markup
    }
    frame.hasErrors = isMistaken
    if mailed == .sent {
      frame.flash = FlashBar(InvitationMailing.Outcome.sent.text(localizer))
    }
    let content: Markup = """
      <div class="narrow stack">\(notice)\
      \(asked.map { waiting(for: $0, localizer) } ?? accepted.map { confirmation(of: $0, call) }
        ?? offer(call))\
      \(button("withdraw", kind: .quiet, icon: .crossInCircle, call))</div>
      """
    if isMistaken { return call.page(frame, content, status: .unprocessableContent) }
    return call.page(frame, content, status: refused == nil ? .ok : .conflict)
  }

  private var isMistaken: Bool { mailed.map { $0 != .sent } ?? false }

  private func confirmation(of account: Account, _ call: Call) -> Markup {
    let localizer = call.localizer
    let name = MessageArgument.text(account.displayName)
    return """
      \(Notice(
        .information,
        title: localizer.text(
          "people.invitation.accepted", ["name": name, "email": .text(account.email)]),
        "<p>\(localizer.text("people.invitation.accepted-help"))</p>"))\
      \(if: !isAddressProved, "<p>\(localizer.text("people.invitation.unproved"))</p>")\
      \(if: invitation.handsOver, "<p>\(localizer.text("people.invitation.hands-over"))</p>")\
      \(button("confirm", kind: .primary, icon: .check, call))
      """
  }

  private func waiting(for practitioner: Account, _ localizer: Localizer) -> Markup {
    let text = localizer.text(
      "care-team.directory.waits",
      [
        "name": .text(practitioner.displayName),
        "date": .text(PeopleText.date(invitation.expires, zone, localizer)),
      ])
    return "<p>\(text)</p>"
  }

  private func offer(_ call: Call) -> Markup {
    let localizer = call.localizer
    let link = "\(call.baseURL)/join/\(invitation.code)"
    let date = PeopleText.date(invitation.expires, zone, localizer)
    let subject = localizer.text("people.invitation.mail-subject")
    let body = localizer.text(
      "people.invitation.mail-body",
      ["link": .text(link), "policy": .text(call.environment.settings.signUp.rawValue)])
    return """
      <p>\(localizer.text("people.invitation.how", ["date": .text(date)]))</p>\
      <p class="fingerprint" translate="no">\(invitation.code)</p>\
      <p class="break-anywhere" translate="no">\(link)</p>\
      \(if: call.environment.channels.mailIsPossible, InvitationMailing.form(
        invitation, typed: typedAddress, mailed, call))\
      \(LinkButton(
        localizer.text("people.invitation.mail"),
        address: "mailto:?subject=\(PercentEncoding.encode(subject))&body=\(PercentEncoding.encode(body))"))\
      \(LinkPicture(link, label: localizer.text("people.invitation.picture")))
      """
  }

  private func button(
    _ action: String, kind: ButtonKind, icon: Icon, _ call: Call
  ) -> FormButton {
    FormButton(
      call.localizer.text("people.invitation.action", ["action": .text(action)]),
      action: "/people/invitations/\(invitation.id)", token: call.formToken,
      fields: [("action", action)], kind: kind, icon: icon)
  }
}
