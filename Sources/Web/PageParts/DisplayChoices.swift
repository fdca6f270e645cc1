// SPDX-License-Identifier: Apache-2.0

import Encodings

/// Light or dark, chosen by the person or left to the device.
package enum Theme: String, CaseIterable, Sendable {
  case automatic, light, dark
}

/// How large texts are, in percent of the device's own size.
package enum TextSize: Int, CaseIterable, Sendable {
  case normal = 100
  case large = 125
  case larger = 150
  case largest = 200
}

/// Where the display choices of the footer lead: `GET /preferences?theme=dark&return=/today`.
///
/// The route keeps the choice in a cookie and sends the person back to `return`, which it takes
/// only as a path of this app.
package enum PreferenceAddress {
  /// The path of the route.
  package static let path = "/preferences"
  /// The query parameters: one of these, and the way back.
  package static let language = "language"
  package static let theme = "theme"
  package static let textSize = "text-size"
  /// How figures are drawn.
  package static let chart = "chart"
  /// On which day weeks begin.
  package static let weekStart = "week-start"
  /// Whose rules pages of the knowledge show.
  package static let region = "region"
  package static let returnPath = "return"

  package static func link(_ parameter: String, _ value: String, from current: String) -> String {
    "\(path)?\(parameter)=\(value)&\(returnPath)=\(PercentEncoding.encode(current, keeping: "/"))"
  }
}
