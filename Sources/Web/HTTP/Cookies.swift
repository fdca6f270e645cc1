// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Reads and writes cookies.
package enum Cookies {
  /// Returns the value of a cookie; nil if it is missing, or ambiguous because it was sent twice.
  ///
  /// Compares bytes, because a page asks for cookies dozens of times.
  static func value(of name: String, in headers: HTTPFields) -> String? {
    var found: String?
    for header in headers[values: .cookie] {
      for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
        let trimmed = pair.drop { $0 == UInt8(ascii: " ") }
        guard trimmed.starts(with: name.utf8) else { continue }
        let rest = trimmed.dropFirst(name.utf8.count)
        guard rest.first == UInt8(ascii: "=") else { continue }
        guard found == nil else { return nil }
        found = String(Substring(rest.dropFirst()))
      }
    }
    return found
  }

  /// Returns a `Set-Cookie` value for the whole server, HttpOnly and same-site.
  package static func setting(
    _ name: String, to value: String, maximumAgeSeconds: Int64, isSecure: Bool
  ) -> String {
    "\(name)=\(value); Path=/; Max-Age=\(maximumAgeSeconds); HttpOnly; SameSite=Lax"
      + (isSecure ? "; Secure" : "")
  }

  /// Returns a `Set-Cookie` value that removes a cookie.
  package static func removing(_ name: String, isSecure: Bool) -> String {
    setting(name, to: "", maximumAgeSeconds: 0, isSecure: isSecure)
  }
}

/// The cookies for the display choices of a device, without any link to its user.
package enum Preferences {
  /// The cookie of the language, by its tag.
  package static let languageCookie = "regimen-language"
  /// The cookie of the ``Theme``.
  package static let themeCookie = "regimen-theme"
  /// The cookie of the ``TextSize``, in percent.
  package static let textSizeCookie = "regimen-text-size"
  /// The cookie of the style of charts.
  package static let chartCookie = "regimen-chart"
  /// The cookie of the region whose rules the reference pages show.
  package static let regionCookie = "regimen-region"
  /// The cookie of the day on which weeks begin.
  package static let weekStartCookie = "regimen-week-start"
  /// The lifetime of these cookies: one year, in seconds.
  package static let lifetimeSeconds: Int64 = 365 * 24 * 3600
}
