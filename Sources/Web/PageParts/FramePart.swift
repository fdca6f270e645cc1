// SPDX-License-Identifier: Apache-2.0

import HTML

/// A part that a feature adds to the frame of every page.
package protocol FramePart: Sendable {
  /// Returns the pieces that the part shows for a request.
  static func pieces(for call: Call) -> [FramePiece]
}

/// Markup at one place of a page's frame.
package struct FramePiece: Sendable {
  /// A place in the frame.
  package enum Place: Sendable, Hashable {
    /// The document's head, after the icons.
    case head
    /// The top of the main part, above the heading.
    case banner
    /// The main part, under the heading.
    case belowTitle
    /// The end of the list of persons.
    case personSwitcher
    /// The tab of a place in the navigation, after its label.
    case navigation(NavigationItem)
    /// The footer, above its line.
    case footerTop
    /// The links of the footer, before the button that signs out.
    case footer
  }

  let place: Place
  let markup: @Sendable (PageFrame) -> Markup

  /// Creates a piece whose markup is created when the page has completed its frame.
  package init(_ place: Place, _ markup: @escaping @Sendable (PageFrame) -> Markup) {
    self.place = place
    self.markup = markup
  }

  /// Returns true if the piece belongs to a place of this tab.
  func isOn(_ tab: NavigationItem, of role: NavigationRole) -> Bool {
    if case .navigation(let item) = place { role.tab(of: item) == tab } else { false }
  }
}
