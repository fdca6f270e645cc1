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

  let current: NavigationItem?
  /// Whether whoever looks acts for the person: alarms are nobody else's.
  var mayAct = true
  /// How many messages wait to be read, said where the way to them is.
  var newMessages = 0
  let localizer: Localizer

  var markup: Markup {
    """
    <nav class="navigation" id="\(Self.id)" tabindex="-1" \
    aria-label="\(localizer.text("parts.navigation.label"))"><ul class="navigation-list" \
    role="list">\(each: NavigationItem.allCases.filter { mayAct || $0 != .alarms }, link)</ul></nav>
    """
  }

  private func link(_ item: NavigationItem) -> Markup {
    """
    <li><a href="\(item.address)"\(if: item == current, " aria-current=\"page\"")>\(item.icon)\
    <span>\(item.label(localizer))</span>\(if: item == .details && newMessages > 0, news)</a></li>
    """
  }

  private var news: Markup {
    """
    <span class="navigation-news"><span aria-hidden="true">\(min(newMessages, 99))</span>\
    <span class="visually-hidden">\(localizer.text(
      "chat.new", ["count": .number(newMessages)]))</span></span>
    """
  }
}
