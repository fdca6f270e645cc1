// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// A person's weight on a day, from a scale or typed.
package struct BodyWeight: Sendable, Hashable {
  /// The id of its Observation.
  package let id: String
  /// The day on which it was measured.
  package let date: CivilDate
  /// The weight as digits with a point, without trailing zeros.
  package let kilograms: String

  init?(_ value: VitalDayValue) {
    guard value.metric == .weight, let date = CivilDate(text: value.day) else { return nil }
    id = value.observation
    self.date = date
    kilograms = Self.text(thousandths: value.thousandths)
  }

  private static func text(thousandths: Int64) -> String {
    let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
    if rest == 0 { return String(whole) }
    var digits = String(1_000 + rest).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
