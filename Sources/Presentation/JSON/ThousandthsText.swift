// SPDX-License-Identifier: Apache-2.0

/// Thousandths as a number in the decimal system.
package enum ThousandthsText {
  /// Returns the number without zeros at the end.
  package static func decimal(_ thousandths: Int64) -> String {
    var digits = String(thousandths % 1_000)
    digits = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    while digits.last == "0" { digits.removeLast() }
    let whole = String(thousandths / 1_000)
    return digits.isEmpty ? whole : "\(whole).\(digits)"
  }
}
