// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Knowledge
import Localization
import Presentation
import Web

/// `/preferences`: the display choices of this device, stored only in its cookies.
package enum PreferenceRoutes {
  /// The route that sets choices and returns to the page; open to all.
  package static let all: [Route] = [.open(.get, PreferenceAddress.path, set)]

  @Sendable private static func set(_ call: Call) -> Response {
    var cookies: [String] = []
    let language = call.queryValue(PreferenceAddress.language)
    if let language = language.flatMap(Language.init(rawValue:)) {
      cookies.append(cookie(Preferences.languageCookie, language.rawValue, call))
    }
    let theme = call.queryValue(PreferenceAddress.theme)
    if let theme = theme.flatMap(Theme.init(rawValue:)) {
      cookies.append(cookie(Preferences.themeCookie, theme.rawValue, call))
    }
    let size = call.queryValue(PreferenceAddress.textSize)
    if let size = size.flatMap({ Int($0) }).flatMap(TextSize.init(rawValue:)) {
      cookies.append(cookie(Preferences.textSizeCookie, String(size.rawValue), call))
    }
    let chart = call.queryValue(PreferenceAddress.chart)
    if let chart = chart.flatMap(ChartStyle.init(rawValue:)) {
      cookies.append(cookie(Preferences.chartCookie, chart.rawValue, call))
    }
    let weekStart = call.queryValue(PreferenceAddress.weekStart)
    if let code = weekStart, WeekStart.choices.contains(where: { WeekStart.code($0) == code }) {
      cookies.append(cookie(Preferences.weekStartCookie, code, call))
    }
    let region = call.queryValue(PreferenceAddress.region)
    if let region = region.flatMap(Region.init(rawValue:)) {
      cookies.append(cookie(Preferences.regionCookie, region.rawValue, call))
    }
    let target = LocalPath.checked(call.queryValue(PreferenceAddress.returnPath)) ?? "/"
    return call.redirect(to: target, cookies: cookies)
  }

  private static func cookie(_ name: String, _ value: String, _ call: Call) -> String {
    Cookies.setting(
      name, to: value, maximumAgeSeconds: Preferences.lifetimeSeconds,
      isSecure: call.isSecure)
  }
}
