// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// What a person weighed on a day, from a scale or typed.
package struct BodyWeight: Sendable, Hashable {
  /// Its id as an Observation.
  package let id: String
  package let date: CivilDate
  /// With a point, and no more digits than it has.
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
