// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import Localization
import Web

/// A drawing of the body on which each site is a link that chooses it in the list below.
///
/// The list has the same choices, so the drawing is an addition: it needs no script, and its links work with the
/// keyboard.
struct BodyMap: PagePart {
  let sites: [BodySite]
  /// The chosen site.
  let chosen: BodySite?
  /// The address of the page, without a query.
  let address: String
  let localizer: Localizer

  /// The drawing; empty for sites that are not on it.
  var markup: Markup {
    let placed = sites.filter { Self.place($0) != nil }
    guard placed.count == sites.count, !sites.isEmpty else { return Markup() }
    return """
      <nav class="body-map" aria-label="\(localizer.text("sites.map"))">\
      <svg viewBox="10 0 280 300" width="280" height="300" role="group" \
      aria-label="\(localizer.text("sites.map"))">\
      <g fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true">\
      \(Self.figure(80))\(Self.figure(220))</g>\
      <g aria-hidden="true" text-anchor="middle" font-size="13">\
      <text x="80" y="294">\(localizer.text("sites.front"))</text>\
      <text x="220" y="294">\(localizer.text("sites.back"))</text></g>\
      \(each: Array(placed.enumerated()), { point($0.element, number: $0.offset + 1) })</svg></nav>
      """
  }

  private func point(_ site: BodySite, number: Int) -> Markup {
    guard let place = Self.place(site) else { return Markup() }
    let name = localizer.text("sites.name", ["site": .text(site.rawValue)])
    let style = site == chosen ? "body-map-site is-chosen" : "body-map-site"
    return """
      <a href="\(address)?site=\(site.rawValue)#choose" class="\(style)" \
      aria-label="\(number): \(name)"><circle cx="\(place.x)" cy="\(place.y)" r="13"/>\
      <text x="\(place.x)" y="\(place.y + 4)" text-anchor="middle" font-size="12">\(number)</text></a>
      """
  }

  /// Returns the outline of a figure around a vertical line.
  private static func figure(_ x: Int) -> Markup {
    """
    <circle cx="\(x)" cy="26" r="18"/>\
    <path d="M\(x - 34) 56h68v92h-68z"/>\
    <path d="M\(x - 34) 58l-22 78M\(x + 34) 58l22 78"/>\
    <path d="M\(x - 30) 148l-4 122M\(x + 30) 148l4 122M\(x) 160l-4 110M\(x) 160l4 110"/>
    """
  }

  /// Returns the place of a site; nil for one that is not on the drawing. The left of a figure seen from the front is
  /// the person's right.
  static func place(_ site: BodySite) -> (x: Int, y: Int)? {
    switch site {
    case .chestRight: (64, 74)
    case .chestLeft: (96, 74)
    case .armRight: (34, 98)
    case .armLeft: (126, 98)
    case .bellyUpperRight: (66, 106)
    case .bellyUpperLeft: (94, 106)
    case .bellyLowerRight: (66, 134)
    case .bellyLowerLeft: (94, 134)
    case .thighRight: (62, 196)
    case .thighLeft: (98, 196)
    case .backUpperLeft: (204, 78)
    case .backUpperRight: (236, 78)
    case .buttockLeft: (204, 138)
    case .buttockRight: (236, 138)
    case .eyeRight, .eyeLeft, .earRight, .earLeft, .nostrilRight, .nostrilLeft: nil
    }
  }
}
