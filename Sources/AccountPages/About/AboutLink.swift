// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Web

/// The link to the page about this installation, at the end of every page.
package enum AboutLink: FramePart {
  /// Returns the link for the footer of a page.
  package static func pieces(for call: Call) -> [FramePiece] {
    [
      FramePiece(.footer) { frame in
        """
        <p class="about-line"><a href="\(AboutRoutes.path)">\(frame.localizer.text("feedback.title"))</a></p>
        """
      }
    ]
  }
}
