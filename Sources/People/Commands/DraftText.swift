// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The reading of texts typed into a form.
package enum DraftText {
  /// Returns the text without spaces and line breaks around it.
  package static func trimmed(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns a decimal as people type it, with a point or a comma, in JSON's form; nil for any other text.
  package static func decimal(_ text: String) -> String? {
    var digits = trimmed(text).replacingOccurrences(of: ",", with: ".")
    guard !digits.isEmpty, digits.count <= 24,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      digits.count(where: { $0 == "." }) <= 1, digits != "."
    else { return nil }
    if digits.hasPrefix(".") { digits = "0" + digits }
    if digits.hasSuffix(".") { digits.removeLast() }
    while digits.hasPrefix("0"), digits.count > 1, !digits.hasPrefix("0.") { digits.removeFirst() }
    return digits
  }
}
