// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import SiteMap

/// One line on Today.
struct NewMessages: PagePart {
  let count: Int
  let localizer: Localizer

  var markup: Markup {
    """
    <p class="chat-news"><a href="\(Address.conversations)">\(Icon.message)<span>\
    \(localizer.text("chat.new", ["count": .number(count)]))</span></a></p>
    """
  }
}
