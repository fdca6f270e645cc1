// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation

/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the time in the preferred form of HTTP; nil for any other text.
  static func milliseconds(_ text: String) -> Int64? {
    // Sun, 06 Nov 1994 08:49:37 GMT
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT",
      let month = months.firstIndex(of: String(parts[2])), parts[1].utf8.count == 2
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return FHIRDateTime("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")?.epochMilliseconds
  }

  static func text(milliseconds: Int64) -> String {
    let seconds = Int((Double(milliseconds) / 1000).rounded(.down))
    let text = FHIRDateTime.instantText(milliseconds: Int64(seconds) * 1000, offsetMinutes: 0)
    // 2026-03-01T08:00:00+00:00
    let parts = text.prefix(19).split { "-T".contains($0) }
    guard parts.count == 4, let month = Int(parts[1]), (1...12).contains(month) else { return text }
    let day = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let weekday = days[((day % 7) + 7) % 7]
    return "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]) GMT"
  }
}
