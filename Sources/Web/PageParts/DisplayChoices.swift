// SPDX-License-Identifier: Apache-2.0

import Encodings

/// The colours of pages: light or dark, chosen by the person or left to the device.
package enum Theme: String, CaseIterable, Sendable {
  case automatic, light, dark
}

/// The size of texts, in percent of the device's own size.
package enum TextSize: Int, CaseIterable, Sendable {
  case normal = 100
  case large = 125
  case larger = 150
  case largest = 200
}

/// The address of the display choices in the footer: `GET /preferences?theme=dark&return=/today`.
///
/// The route keeps the choice in a cookie and redirects to `return`, which must be a path of this
/// app.
package enum PreferenceAddress {
  /// The path of the route.
  package static let path = "/preferences"
  /// The query parameter of the language.
  package static let language = "language"
  /// The query parameter of the ``Theme``.
  package static let theme = "theme"
  /// The query parameter of the ``TextSize``.
  package static let textSize = "text-size"
  /// The query parameter of the style of charts.
  package static let chart = "chart"
  /// The query parameter of the day on which weeks begin.
  package static let weekStart = "week-start"
  /// The query parameter of the region whose rules the reference pages show.
  package static let region = "region"
  /// The query parameter of the path to return to.
  package static let returnPath = "return"

  /// Returns the address that sets one choice and returns to the current path.
  package static func link(_ parameter: String, _ value: String, from current: String) -> String {
    "\(path)?\(parameter)=\(value)&\(returnPath)=\(PercentEncoding.encode(current, keeping: "/"))"
  }
}
