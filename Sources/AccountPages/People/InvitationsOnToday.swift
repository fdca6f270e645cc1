// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Identifiers
import Localization
import Plans
import Presentation
import Web

/// The accepted invitations that wait for confirmation.
///
/// Nothing is shared until then, so they must not wait unnoticed on a settings page, or on the
/// pages of another person for whom the account acts.
package struct InvitationsOnToday: TodayContribution {
  /// Creates the contribution.
  package init() {}

  /// Returns a notice for each accepted invitation that the viewer can confirm.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.mayAct, today.features.acceptedInvitations else { return .nothing }
    let accounts = today.environment.accounts
    let accepted = try accounts.acceptedInvitations(
      confirmedBy: today.signedIn.account.id, at: today.now, in: today.reader)
    let shown = today.patient.patient
    let notices = try accepted.map { invitation in
      let account = try invitation.acceptedBy.flatMap { try accounts.account($0, in: today.reader) }
      let other = today.call.people.first { $0.patient == invitation.patient }
      return AcceptedInvitation(
        invitation: invitation, name: account?.displayName ?? "",
        person: invitation.patient == shown ? nil : other?.name,
        token: today.call.accountToken)
    }
    return TodayAddition(
      TodayCard(.top) { page in "\(each: notices, { $0.notice(page.words.localizer) })" })
  }
}

/// An accepted invitation, as Today shows it to the inviter.
private struct AcceptedInvitation: Sendable {
  let invitation: GrantInvitation
  /// The name of the account that accepted.
  let name: String
  /// The person whom the invitation is about; nil for the person whose Today it is.
  let person: String?
  let token: FormToken

  func notice(_ localizer: Localizer) -> Markup {
    let title =
      person.map {
        localizer.text("people.accepted-for", ["name": .text(name), "person": .text($0)])
      } ?? localizer.text("people.accepted-by", ["name": .text(name)])
    return Notice(
      .information, title: title,
      "<p>\(localizer.text("people.accepted-by-help"))</p>\(button(localizer))"
    ).markup
  }

  /// The link to the invitation; it first switches to another person if needed.
  private func button(_ localizer: Localizer) -> Markup {
    let address = "/people/invitations/\(invitation.id)"
    let label = localizer.text("people.open-invitation")
    guard person != nil else {
      return LinkButton(label, address: address, kind: .primary, icon: .person).markup
    }
    return FormButton(
      label, action: PersonChoice.path, token: token,
      fields: [(PersonChoice.field, invitation.patient.text), ("return", address)],
      icon: .person
    ).markup
  }
}
