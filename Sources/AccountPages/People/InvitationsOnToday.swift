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
    let accepted = try today.environment.accounts.invitations(
      of: today.patient.patient, at: today.now, in: today.reader
    ).filter { $0.state == .accepted }
    return TodayAddition(
      TodayCard(.top) { page in
        "\(each: accepted, { Self.notice($0, page.words.localizer) })"
      })
  }

  private static func notice(_ invitation: GrantInvitation, _ localizer: Localizer) -> Markup {
    Notice(
      .information,
      title: localizer.text(
        "people.invitation-state", ["state": .text(invitation.state.rawValue)]),
      LinkButton(
        localizer.text("people.open-invitation"), address: "/people/invitations/\(invitation.id)",
        icon: .person
      ).markup
    ).markup
  }
}
