// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import SiteMap
import Web

/// The two views of an inbox: conversations, and messages about people in the account's care.
struct InboxTabs: PagePart {
  /// The address of the current view.
  let current: String
  let localizer: Localizer

  var markup: Markup {
    let views: [(MessageKey, String)] = [
      ("chat.title", Address.conversations),
      ("caregiver-messages.title", Address.caregiverMessages),
    ]
    return SegmentedTabs(
      label: localizer.text("parts.navigation.item", ["item": "inbox"]),
      views.map { title, address in
        .init(localizer.text(title), address: address, isCurrent: address == current)
      }
    ).markup
  }
}

extension PageFrame {
  /// Makes the page a view of the inbox, which practitioners open by a tab and others from
  /// *People*.
  mutating func placeInInbox() {
    place = .inbox
    back = role == .practitioner ? nil : .people(localizer)
  }
}
