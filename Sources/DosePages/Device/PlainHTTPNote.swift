// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Web

/// The line about a device's limits over plain http, at the end of every page.
package enum PlainHTTPNote: FramePart {
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
