// SPDX-License-Identifier: Apache-2.0

/// Formats thousandths as decimal numbers.
package enum ThousandthsText {
  /// Returns the number with a decimal point and without trailing zeros: 72500 as `72.5`.
  package static func decimal(_ thousandths: Int64) -> String {
    var digits = String(thousandths % 1_000)
    digits = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    while digits.last == "0" { digits.removeLast() }
    let whole = String(thousandths / 1_000)
    return digits.isEmpty ? whole : "\(whole).\(digits)"
  }
}
