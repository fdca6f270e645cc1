// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A unit in which a measurement of the diary can be entered.
package enum DiaryUnit: String, Sendable, Hashable, CaseIterable {
  case millimolesPerLitre = "mmol-l"
  case milligramsPerDecilitre = "mg-dl"
  case celsius
  case fahrenheit
  case kilograms
  case pounds
  case percent
  case litresPerMinute = "l-min"
  case ratio
  case beats
  case hours

  /// The code in UCUM.
  package var code: String {
    switch self {
    case .millimolesPerLitre: "mmol/L"
    case .milligramsPerDecilitre: "mg/dL"
    case .celsius: "Cel"
    case .fahrenheit: "[degF]"
    case .kilograms: "kg"
    case .pounds: "[lb_av]"
    case .percent: "%"
    case .litresPerMinute: "L/min"
    case .ratio: "{INR}"
    case .beats: "/min"
    case .hours: "h"
    }
  }

  /// Returns the unit with a UCUM code; nil for any other code.
  package static func of(code: String) -> DiaryUnit? { allCases.first { $0.code == code } }

  /// Returns a number of this unit in the first unit of its kind: mmol/L, °C or kg; the others have only one.
  package func canonical(_ number: Decimal) -> Decimal {
    switch self {
    case .milligramsPerDecilitre: number / Self.milligramsPerMillimole
    case .fahrenheit: (number - 32) * 5 / 9
    case .pounds: number * Self.kilogramsPerPound
    case .millimolesPerLitre, .celsius, .kilograms, .percent, .litresPerMinute, .ratio, .beats,
      .hours:
      number
    }
  }

  /// Returns a number of the first unit of its kind in this unit, with at most one decimal.
  package func converted(_ canonical: Decimal) -> Decimal {
    Self.rounded(unrounded(canonical), decimals: 1)
  }

  /// Returns a number of the first unit of its kind in this unit, with at most four decimals.
  func exactly(_ canonical: Decimal) -> Decimal {
    Self.rounded(unrounded(canonical), decimals: 4)
  }

  private func unrounded(_ canonical: Decimal) -> Decimal {
    switch self {
    case .milligramsPerDecilitre: canonical * Self.milligramsPerMillimole
    case .fahrenheit: canonical * 9 / 5 + 32
    case .pounds: canonical / Self.kilogramsPerPound
    case .millimolesPerLitre, .celsius, .kilograms, .percent, .litresPerMinute, .ratio, .beats,
      .hours:
      canonical
    }
  }

  /// Returns a number rounded to some decimals.
  static func rounded(_ number: Decimal, decimals: Int) -> Decimal {
    var (exact, result) = (number, Decimal())
    NSDecimalRound(&result, &exact, decimals, .plain)
    return result
  }

  /// The molar mass of glucose is 180.156 g/mol.
  private static let milligramsPerMillimole = Decimal(180_156) / 10_000
  /// The international avoirdupois pound.
  private static let kilogramsPerPound = Decimal(45_359_237) / 100_000_000
}
