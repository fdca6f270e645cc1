// SPDX-License-Identifier: Apache-2.0

import HTML

/// A list of links to pages; each row is a full-width link that is easy to press.
package struct PlaceList: PagePart {
  /// A page by its title and address.
  package struct Place: Sendable, Hashable {
    let title: String
    let address: String
    let icon: Icon
    let hint: String?
    let object: String?

    /// Creates a page of this app.
    ///
    /// - Parameters:
    /// - hint: A line that describes the page.
    /// - object: The object that the page is about, read out after the title ("Pause" + "Metoprolol").
    package init(
      _ title: String, address: String, icon: Icon, hint: String? = nil, object: String? = nil
    ) {
      self.title = title
      self.address = address
      self.icon = icon
      self.hint = hint
      self.object = object
    }
  }

  private let places: [Place]
  private let inColumns: Bool

  /// Creates the list, in this order.
  ///
  /// - Parameter inColumns: True for small tiles next to each other, which take less height.
  package init(_ places: [Place], inColumns: Bool = false) {
    self.places = places
    self.inColumns = inColumns
  }

  /// The list.
  package var markup: Markup {
    let rows = places.map { place -> Markup in
      """
      <li><a href="\(place.address)">\(place.icon)<span>\(place.title)\
      \(place.object.map { "<span class=\"visually-hidden\"> \($0)</span>" as Markup })\
      \(place.hint.map { "<span class=\"place-hint\">\($0)</span>" as Markup })</span>\(Icon.chevron)</a></li>
      """
    }
    return "<ul class=\"places\(if: inColumns, " places-columns")\" role=\"list\">\(rows)</ul>"
  }
}

extension LinkButton {
  /// Creates a link to a page of this app by its title, address and icon.
  package init(_ place: PlaceList.Place) {
    self.init(place.title, address: place.address, icon: place.icon)
  }
}
