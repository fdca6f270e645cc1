// SPDX-License-Identifier: Apache-2.0

import HTML
import Presentation
import Web

/// The search field under the heading of the pages that ask for it.
package enum SearchPart: FramePart {
  /// Returns the field; the piece is empty on pages without it.
  package static func pieces(for call: Call) -> [FramePiece] {
    [
      FramePiece(.belowTitle) { frame in
        frame.hasSearch ? SearchField(localizer: frame.localizer).markup : Markup()
      }
    ]
  }
}
