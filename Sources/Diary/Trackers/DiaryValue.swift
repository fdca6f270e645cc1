// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The value of one entry of the diary.
package enum DiaryValue: Sendable, Hashable {
  /// A whole number from 0 to 10.
  case score(Int)
  case answer(Bool)
  /// A measurement as it was entered.
  case measurement(Decimal, DiaryUnit)
  /// A number in the unit of an own tracker.
  case number(Decimal, unit: String)
  /// Blood pressure in mmHg.
  case pressure(systolic: Int, diastolic: Int)
  case text(String)
  /// Words with a strength from 0 to 10.
  case graded(String, strength: Int)

  /// The number by which the value is drawn, a measurement in its first unit; nil for words.
  package var number: Decimal? {
    switch self {
    case .score(let score): Decimal(score)
    case .answer(let answer): answer ? 1 : 0
    case .measurement(let number, let unit): unit.canonical(number)
    case .number(let number, _): number
    case .pressure(let systolic, _): Decimal(systolic)
    case .graded(_, let strength): Decimal(strength)
    case .text: nil
    }
  }

  /// The unit of a measurement; nil for other values.
  package var unit: DiaryUnit? {
    guard case .measurement(_, let unit) = self else { return nil }
    return unit
  }

  /// Returns true if the value is of the kind that a tracker takes.
  func fits(_ shape: TrackerShape) -> Bool {
    switch (self, shape) {
    case (.score, .score), (.answer, .yesNo), (.pressure, .pressure), (.text, .text),
      (.graded, .gradedText), (.number, .number):
      true
    case (.measurement(_, let unit), .measurement(let units)): units.contains(unit)
    default: false
    }
  }
}
