// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Reading and writing cookies.
package enum Cookies {
  /// The value of a cookie; where a name is sent twice, none: somebody is playing tricks.
  static func value(of name: String, in headers: HTTPFields) -> String? {
    var found: String?
    for header in headers[values: .cookie] {
      for pair in header.split(separator: ";") {
        let trimmed = pair.drop { $0 == " " }
        guard trimmed.hasPrefix(name), trimmed.dropFirst(name.count).first == "=" else { continue }
        guard found == nil else { return nil }
        found = String(trimmed.dropFirst(name.count + 1))
      }
    }
    return found
  }

  /// A `Set-Cookie` value, HttpOnly and same-site.
  package static func setting(
    _ name: String, to value: String, maximumAgeSeconds: Int64, isSecure: Bool
  ) -> String {
    "\(name)=\(value); Path=/; Max-Age=\(maximumAgeSeconds); HttpOnly; SameSite=Lax"
      + (isSecure ? "; Secure" : "")
  }

  /// A `Set-Cookie` value that removes a cookie.
  package static func removing(_ name: String, isSecure: Bool) -> String {
    setting(name, to: "", maximumAgeSeconds: 0, isSecure: isSecure)
  }
}

/// What a device remembers about its look, without saying who uses it.
package enum Preferences {
  package static let languageCookie = "regimen-language"
  package static let themeCookie = "regimen-theme"
  package static let textSizeCookie = "regimen-text-size"
  package static let chartCookie = "regimen-chart"
  package static let regionCookie = "regimen-region"
  package static let weekStartCookie = "regimen-week-start"
  /// One year in seconds.
  package static let lifetimeSeconds: Int64 = 365 * 24 * 3600
}
