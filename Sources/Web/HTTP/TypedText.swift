// SPDX-License-Identifier: Apache-2.0

import Foundation
import Scheduling

/// Reads times and numbers as people type them in plain text fields.
package enum TypedText {
  /// Returns the text without surrounding spaces and line breaks.
  package static func trimmed(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns a time of day typed as `08:00`, `8:00` or `8.00`; nil for anything else.
  package static func clockTime(_ text: String) -> ClockTime? {
    var digits = trimmed(text).replacingOccurrences(of: ".", with: ":")
    if digits.firstIndex(of: ":")
      == digits.index(digits.startIndex, offsetBy: 1, limitedBy: digits.endIndex)
    {
      digits = "0" + digits
    }
    return ClockTime(text: digits)
  }

  /// Returns a number of one to six digits; nil for anything else.
  package static func wholeNumber(_ text: String) -> Int? {
    let digits = trimmed(text)
    guard (1...6).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(digits)
  }

  /// Returns true for a number such as "1.500", which means fifteen hundred in half of the world
  /// and 1.5 in the other half.
  package static func isAmbiguousNumber(_ text: String) -> Bool {
    let parts = trimmed(text).split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "." || $0 == "," })
    guard parts.count == 2 else { return false }
    return (1...3).contains(parts[0].count) && parts[0].first != "0" && parts[1].count == 3
      && parts[1].last == "0"
      && (parts[0] + parts[1]).utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
