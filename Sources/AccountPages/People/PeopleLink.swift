// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import SiteMap
import Web

/// The link to the people of the account, at the end of the person switcher.
package enum PeopleLink: FramePart {
  /// Returns the link for the person switcher of a page.
  package static func pieces(for call: Call) -> [FramePiece] {
    [
      FramePiece(.personSwitcher) { frame in
        PersonSwitcher.link(frame.localizer.text("people.title"), address: Address.people)
      }
    ]
  }
}
