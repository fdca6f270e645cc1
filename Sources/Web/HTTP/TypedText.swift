// SPDX-License-Identifier: Apache-2.0

import Foundation
import Scheduling

/// Reads times and numbers as people type them where a browser has no field for them.
package enum TypedText {
  /// The words without blanks around them.
  package static func trimmed(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// `08:00`, also `8:00` and `8.00`.
  package static func clockTime(_ text: String) -> ClockTime? {
    var digits = trimmed(text).replacingOccurrences(of: ".", with: ":")
    if digits.firstIndex(of: ":")
      == digits.index(digits.startIndex, offsetBy: 1, limitedBy: digits.endIndex)
    {
      digits = "0" + digits
    }
    return ClockTime(text: digits)
  }

  /// A number of at most six digits.
  package static func wholeNumber(_ text: String) -> Int? {
    let digits = trimmed(text)
    guard (1...6).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(digits)
  }

  /// Whether a number may be meant with a mark for thousands: nobody writes one and a half as
  /// "1.500", but fifteen hundred is written so in half of the world.
  package static func isAmbiguousNumber(_ text: String) -> Bool {
    let parts = trimmed(text).split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "." || $0 == "," })
    guard parts.count == 2 else { return false }
    return (1...3).contains(parts[0].count) && parts[0].first != "0" && parts[1].count == 3
      && parts[1].last == "0"
      && (parts[0] + parts[1]).utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
