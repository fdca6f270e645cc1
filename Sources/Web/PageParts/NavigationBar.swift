// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// The places that can be reached from everywhere, in the order in which they are shown.
package enum NavigationItem: String, CaseIterable, Sendable {
  case today, medicines, alarms, history, details

  /// The address of the place.
  package var address: String {
    switch self {
    case .today: "/"
    case .medicines: "/medicines"
    case .alarms: "/alarms"
    case .history: "/history"
    case .details: "/details"
    }
  }

  var icon: Icon {
    switch self {
    case .today: .sun
    case .medicines: .pill
    case .alarms: .bell
    case .history: .calendar
    case .details: .person
    }
  }

  func label(_ localizer: Localizer) -> String {
    localizer.text("parts.navigation.item", ["item": .text(rawValue)])
  }
}

/// The navigation: a bar at the bottom of a phone, a rail on a wide page, the same words in both.
struct NavigationBar: PagePart {
  /// The id that skip links lead to.
  static let id = "navigation"

  let frame: PageFrame

  private var localizer: Localizer { frame.localizer }

  /// True if the viewer acts for the person; alarms ring only for them.
  private var mayAct: Bool { frame.person?.mayAct ?? true }

  var markup: Markup {
    """
    <nav class="navigation" id="\(Self.id)" tabindex="-1" \
    aria-label="\(localizer.text("parts.navigation.label"))"><ul class="navigation-list" \
    role="list">\(each: NavigationItem.allCases.filter { mayAct || $0 != .alarms }, link)</ul></nav>
    """
  }

  private func link(_ item: NavigationItem) -> Markup {
    """
    <li><a href="\(item.address)"\(if: item == frame.place, " aria-current=\"page\"")>\(item.icon)\
    <span>\(item.label(localizer))</span>\(frame.pieces(at: .navigation(item)))</a></li>
    """
  }
}
