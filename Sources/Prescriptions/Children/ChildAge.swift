// SPDX-License-Identifier: Apache-2.0

import Foundation
import Observations
import Scheduling

/// The age of a person in full months, as rules for children count it.
package enum ChildAge {
  /// The age in months from which a person is an adult: 18 years.
  package static let grown = 216

  /// Returns the full months from a birth date to a day; a month that is not complete does not count.
  package static func months(from born: CivilDate, to today: CivilDate) -> Int {
    let (first, last) = (born.parts, today.parts)
    let months = (last.year - first.year) * 12 + last.month - first.month
    return last.day < first.day ? months - 1 : months
  }
}

/// Limits for a child's weight: the time for which a dose can be based on it, and the numbers to question.
package enum ChildWeight {
  /// Returns the number of months for which a weight is valid: 1 before the age of 2 years, 3 after it.
  package static func monthsValid(ageInMonths: Int) -> Int { ageInMonths < 24 ? 1 : 3 }

  /// Returns true if a weight is too old to base a dose on it.
  package static func isOld(_ weight: BodyWeight, ageInMonths: Int, today: CivilDate) -> Bool {
    weight.date.adding(months: monthsValid(ageInMonths: ageInMonths)) < today
  }

  /// Returns the weights in grams that are accepted at an age without a question.
  ///
  /// The ranges are far wider than any growth chart. They are Regimen's own bounds against typing errors,
  /// not a clinical rule.
  package static func plausible(ageInMonths: Int) -> ClosedRange<Int> {
    let row = bounds.last { $0.from <= ageInMonths } ?? bounds[0]
    return row.least...row.most
  }

  private static let bounds: [(from: Int, least: Int, most: Int)] = [
    (0, 400, 8_000), (3, 2_500, 13_000), (6, 3_500, 17_000), (12, 5_000, 23_000),
    (24, 7_000, 31_000), (36, 8_000, 40_000), (60, 10_000, 65_000), (84, 12_000, 95_000),
    (120, 15_000, 140_000), (144, 18_000, 180_000), (180, 22_000, 250_000),
  ]

  /// A reason to ask about a weight before it is saved.
  package enum Doubt: String, Sendable, Hashable {
    case low, high
    /// More than a fifth above or below the previous weight.
    case jump
  }

  /// Returns the reason to ask about a weight; nil if there is none.
  ///
  /// - Parameter before: The previous weight in grams; nil if there is none.
  package static func doubt(grams: Int, ageInMonths: Int, before: Int?) -> Doubt? {
    let range = plausible(ageInMonths: ageInMonths)
    if grams < range.lowerBound { return .low }
    if grams > range.upperBound { return .high }
    if let before, before > 0, abs(grams - before) * 5 > before { return .jump }
    return nil
  }
}

extension BodyWeight {
  /// The weight in whole grams; 0 if the stored text is not a number.
  package var grams: Int {
    Decimal(string: kilograms, locale: Locale(identifier: "en_US_POSIX"))
      .map { NSDecimalNumber(decimal: $0 * 1_000).intValue } ?? 0
  }
}
