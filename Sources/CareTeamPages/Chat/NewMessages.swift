// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import SiteMap
import Web

/// The number of new messages, as a line on Today and a badge in the navigation.
package struct NewMessages: PagePart {
  let count: Int
  let localizer: Localizer

  /// The line on Today, which links to the conversations.
  package var markup: Markup {
    """
    <p class="chat-news"><a href="\(Address.conversations)">\(Icon.message)<span>\
    \(localizer.text("chat.new", ["count": .number(count)]))</span></a></p>
    """
  }
}

extension NewMessages: FramePart {
  /// Returns the line and the badge; empty if there are no new messages.
  package static func pieces(for call: Call) -> [FramePiece] {
    let count = call.newMessages
    guard count > 0 else { return [] }
    return [
      FramePiece(.banner) { frame in
        guard frame.place == .today else { return Markup() }
        return NewMessages(count: count, localizer: frame.localizer).markup
      },
      FramePiece(.navigation(.inbox)) { frame in
        NewMessages(count: count, localizer: frame.localizer).sign
      },
    ]
  }

  private var sign: Markup {
    """
    <span class="navigation-news"><span aria-hidden="true">\(min(count, 99))</span>\
    <span class="visually-hidden">\(localizer.text(
      "chat.new", ["count": .number(count)]))</span></span>
    """
  }
}
