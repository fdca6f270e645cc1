// SPDX-License-Identifier: Apache-2.0

import HTML
import Web

/// The link to the web app's manifest in the head of every page.
package enum WebAppLink: FramePart {
  /// Returns the link.
  package static func pieces(for call: Call) -> [FramePiece] {
    [
      FramePiece(.head) { _ in
        """
        <link rel="manifest" href="\(WebAppRoutes.manifestPath)" crossorigin="use-credentials">
        """
      }
    ]
  }
}
