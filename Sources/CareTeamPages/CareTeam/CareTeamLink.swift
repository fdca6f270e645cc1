// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import SiteMap
import Web

/// The link to a practitioner's patients, at the end of the list of people.
package enum CareTeamLink: FramePart {
  /// Returns the link; the piece is empty for an account without patients.
  package static func pieces(for call: Call) -> [FramePiece] {
    [
      FramePiece(.personSwitcher) { frame in
        guard PersonSwitcher.hasPatients(frame.people) else { return Markup() }
        return PersonSwitcher.link(
          frame.localizer.text("care-team.title"), address: Address.careTeam)
      }
    ]
  }
}
