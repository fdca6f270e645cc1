// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import SiteMap
import Web

/// The links to help and to the display choices at the end of every page.
package enum FooterLinks: FramePart {
  /// Returns the links for the footer of a page.
  package static func pieces(for call: Call) -> [FramePiece] {
    [
      FramePiece(.footer) { frame in
        let localizer = frame.localizer
        return """
          <a href="\(Address.help)">\(SettingsPage.help.title(localizer))</a>\
          <a href="\(Address.appearance)">\(SettingsPage.appearance.title(localizer))</a>
          """
      }
    ]
  }
}
