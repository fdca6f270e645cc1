// SPDX-License-Identifier: Apache-2.0

import Localization
import SiteMap
import Web

extension PlaceList.Place {
  /// Returns the link to the conversations, with the number of unread messages.
  package static func conversations(_ call: Call) -> Self {
    let localizer = call.localizer
    return Self(
      call.newMessages > 0
        ? localizer.text("chat.place-new", ["count": .number(call.newMessages)])
        : localizer.text("chat.title"),
      address: Address.conversations, icon: .message)
  }
}
