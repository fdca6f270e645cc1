// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Localization
import Plans
import Presentation
import Web

/// The accepted invitations that wait for confirmation.
///
/// Nothing is shared until then, so they must not wait unseen on a settings page.
package struct InvitationsOnToday: TodayContribution {
  /// Creates the contribution.
  package init() {}

  /// Returns a notice for each accepted invitation, if the viewer may confirm it.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.mayAct, today.features.acceptedInvitations else { return .nothing }
    let accounts = today.environment.accounts
    let accepted = try accounts.invitations(
      of: today.patient.patient, at: today.now, in: today.reader
    ).filter { $0.state == .accepted }.map { invitation in
      let account = try invitation.acceptedBy.flatMap {
        try accounts.account($0, in: today.reader)
      }
      return (invitation: invitation, name: account?.displayName)
    }
    return TodayAddition(
      TodayCard(.top) { page in
        "\(each: accepted, { Self.notice($0.invitation, by: $0.name, page.words.localizer) })"
      })
  }

  private static func notice(
    _ invitation: GrantInvitation, by name: String?, _ localizer: Localizer
  ) -> Markup {
    let title =
      name.map { localizer.text("people.accepted-by", ["name": .text($0)]) }
      ?? localizer.text("people.invitation-state", ["state": .text(invitation.state.rawValue)])
    let link = LinkButton(
      localizer.text("people.open-invitation"), address: "/people/invitations/\(invitation.id)",
      kind: .primary, icon: .person)
    return Notice(
      .information, title: title,
      "<p>\(localizer.text("people.accepted-by-help"))</p>\(link)"
    ).markup
  }
}
