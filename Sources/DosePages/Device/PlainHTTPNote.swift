// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Web

/// A note at the top of the footer of every page that was opened over plain http, where a phone cannot
/// receive reminders.
package enum PlainHTTPNote: FramePart {
  /// Returns the note, which is empty on pages opened over https.
  package static func pieces(for call: Call) -> [FramePiece] {
    [FramePiece(.footerTop, markup)]
  }

  @Sendable private static func markup(_ frame: PageFrame) -> Markup {
    guard frame.isPlain else { return Markup() }
    let localizer = frame.localizer
    let link: Markup = """
       <a href="/device">\(localizer.text("device.title"))</a>
      """
    return """
      <p class="muted">\(localizer.text("device.plain-http"))\(if: frame.hasAccount, link)</p>
      """
  }
}
