// SPDX-License-Identifier: Apache-2.0

import Foundation
import Observations
import Scheduling

/// How old a person is, as rules for children count it.
package enum ChildAge {
  /// The first age, in months, that is no child's any more.
  package static let grown = 216

  /// Full months from a birth date to a day; a month that the day has not reached yet does not count.
  package static func months(from born: CivilDate, to today: CivilDate) -> Int {
    let (first, last) = (born.parts, today.parts)
    let months = (last.year - first.year) * 12 + last.month - first.month
    return last.day < first.day ? months - 1 : months
  }
}

/// Whether a weight may still be gone by, and whether it can be right at all.
package enum ChildWeight {
  /// For how many months a weight holds: a small child grows fast.
  package static func monthsValid(ageInMonths: Int) -> Int { ageInMonths < 24 ? 1 : 3 }

  /// Whether it was measured too long ago to give a dose by.
  package static func isOld(_ weight: BodyWeight, ageInMonths: Int, today: CivilDate) -> Bool {
    weight.date.adding(months: monthsValid(ageInMonths: ageInMonths)) < today
  }

  /// What a child of some age may weigh before the number is asked about, in grams.
  ///
  /// Far wider than any growth chart: bounds of this program against slips of the finger, no clinical rule.
  package static func plausible(ageInMonths: Int) -> ClosedRange<Int> {
    let row = bounds.last { $0.from <= ageInMonths } ?? bounds[0]
    return row.least...row.most
  }

  private static let bounds: [(from: Int, least: Int, most: Int)] = [
    (0, 400, 8_000), (3, 2_500, 13_000), (6, 3_500, 17_000), (12, 5_000, 23_000),
    (24, 7_000, 31_000), (36, 8_000, 40_000), (60, 10_000, 65_000), (84, 12_000, 95_000),
    (120, 15_000, 140_000), (144, 18_000, 180_000), (180, 22_000, 250_000),
  ]

  /// Why a number is asked about before it is kept.
  package enum Doubt: String, Sendable, Hashable {
    case low, high
    /// A fifth more or less than last time.
    case jump
  }

  /// What is strange about a weight; nil where nothing is.
  package static func doubt(grams: Int, ageInMonths: Int, before: Int?) -> Doubt? {
    let range = plausible(ageInMonths: ageInMonths)
    if grams < range.lowerBound { return .low }
    if grams > range.upperBound { return .high }
    if let before, before > 0, abs(grams - before) * 5 > before { return .jump }
    return nil
  }
}

extension BodyWeight {
  /// The weight in grams.
  package var grams: Int {
    Decimal(string: kilograms, locale: Locale(identifier: "en_US_POSIX"))
      .map { NSDecimalNumber(decimal: $0 * 1_000).intValue } ?? 0
  }
}
