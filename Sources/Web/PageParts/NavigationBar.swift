// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// The places of the app; each page belongs to one, and each role has tabs for some of them.
package enum NavigationItem: String, CaseIterable, Sendable {
  case today, medicines, lookup, progress, people, inbox, me, patients

  var icon: Icon {
    switch self {
    case .today: .sun
    case .medicines, .lookup: .pill
    case .progress: .chart
    case .people, .patients: .people
    case .inbox: .message
    case .me: .person
    }
  }

  func label(_ localizer: Localizer) -> String {
    localizer.text("parts.navigation.item", ["item": .text(rawValue)])
  }
}

/// The navigation: a bar at the bottom of a phone, a side rail on a wide page, with the same
/// labels.
struct NavigationBar: PagePart {
  /// The id that skip links lead to.
  static let id = "navigation"

  let frame: PageFrame

  private var localizer: Localizer { frame.localizer }

  var markup: Markup {
    """
    <nav class="navigation" id="\(Self.id)" tabindex="-1" \
    aria-label="\(localizer.text("parts.navigation.label"))"><ul class="navigation-list" \
    role="list">\(each: frame.role.tabs, link)</ul></nav>
    """
  }

  private func link(_ item: NavigationItem) -> Markup {
    """
    <li><a href="\(frame.addresses[item])"\(if: item == frame.tab, " aria-current=\"\(current)\"")>\
    \(item.icon)<span>\(item.label(localizer))</span>\(frame.pieces(onTab: item))</a></li>
    """
  }

  /// The page itself, or a part of the site that contains the page.
  private var current: Markup { frame.isTabItself ? "page" : "true" }
}
