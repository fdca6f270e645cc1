// SPDX-License-Identifier: Apache-2.0

import Access
import HTML
import Localization
import Web

/// The pages of a person that share something with a viewer, as tabs at the top of each page.
///
/// The navigation of a viewer has one tab for all of these pages.
package enum SharedPersonTabs: FramePart {
  /// Returns the tabs; the piece is empty on other pages, and for those who act for the person.
  package static func pieces(for call: Call) -> [FramePiece] {
    [FramePiece(.banner, markup)]
  }

  @Sendable private static func markup(_ frame: PageFrame) -> Markup {
    guard let person = frame.person, !person.mayAct, let place = frame.place,
      frame.path.prefix(while: { $0 != "?" }) == frame.addresses[place]
    else { return Markup() }
    let places = places(person.right)
    guard places.contains(place), places.count > 1 else { return Markup() }
    let localizer = frame.localizer
    return SegmentedTabs(
      label: localizer.text("people.shared-pages", ["name": .text(person.name)]),
      places.map { item in
        .init(
          localizer.text("parts.navigation.item", ["item": .text(item.rawValue)]),
          address: frame.addresses[item], isCurrent: item == place)
      }
    ).markup
  }

  private static func places(_ right: PatientRight) -> [NavigationItem] {
    var places: [NavigationItem] = [.today]
    if right.shares(.medicines) { places.append(.medicines) }
    if right.shares(.adherence) || right.shares(.heartRate) || right.shares(.diary) {
      places.append(.progress)
    }
    return places
  }
}
