// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import SiteMap

/// The way to the conversations, with how many messages wait there.
enum ChatPlace {
  static func place(_ call: Call) -> PlaceList.Place {
    let localizer = call.localizer
    return PlaceList.Place(
      call.newMessages > 0
        ? localizer.text("chat.place-new", ["count": .number(call.newMessages)])
        : localizer.text("chat.title"),
      address: Address.conversations, icon: .message)
  }
}

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

extension LinkButton {
  /// The same as a button.
  init(_ place: PlaceList.Place) {
    self.init(place.title, address: place.address, icon: place.icon)
  }
}
