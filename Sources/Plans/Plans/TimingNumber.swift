// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Numbers in a Timing as a form shows them.
enum TimingNumber {
  /// Returns the value if it is a whole number of reasonable size.
  static func whole(_ value: Decimal) -> Int? {
    guard value >= 0, value <= 40_000_000_000_000 else { return nil }
    let number = NSDecimalNumber(decimal: value).intValue
    return Decimal(number) == value ? number : nil
  }
}
