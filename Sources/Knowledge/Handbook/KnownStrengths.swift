// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Handbook {
  /// Returns the smallest and largest listed content of one unit of a medicine, in milligrams.
  ///
  /// Returns nil if no mass is listed, or if the name is a product with several ingredients.
  public func knownMilligrams(name: String, codes: [String]) -> ClosedRange<Decimal>? {
    let found = ([name] + codes).lazy.compactMap { self.medicines(named: $0) }.first
    guard let found, found.list.isComplete, found.list.ingredients.count == 1 else { return nil }
    let masses = found.medicines.flatMap { Self.milligrams(in: $0.forms) }
    guard let least = masses.min(), let most = masses.max() else { return nil }
    return least...most
  }

  /// Returns the masses in a text such as `tab 10/30/60 mg; oral solution 10 mg/5 mL`, in milligrams.
  ///
  /// The volume that contains a mass is skipped, and so are percentages.
  static func milligrams(in forms: String) -> [Decimal] {
    var found: [Decimal] = []
    for part in forms.split(whereSeparator: { ";(".contains($0) }) {
      var numbers: [Decimal] = []
      for word in part.split(whereSeparator: { " ,/)".contains($0) }) {
        let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        if !digits.isEmpty, let number = Decimal(string: String(digits)) {
          numbers.append(number)
          if digits.count == word.count { continue }
        }
        let unit = word.dropFirst(digits.count)
        let scale: Decimal? =
          switch unit {
          case "mg": 1
          case "g": 1_000
          case "mcg", "microgram": Decimal(string: "0.001")
          default: nil
          }
        if let scale { found += numbers.map { $0 * scale } }
        // "and", "or" and similar words can separate numbers.
        if scale != nil || unit.first?.isNumber == true
          || ["mL", "ml", "IU", "U", "%"].contains(unit)
        {
          numbers = []
        }
      }
    }
    return found.filter { $0 > 0 }
  }

  /// Returns the maximum daily amount of an ingredient in the dose tables, in milligrams.
  public func mostMilligramsADay(name: String, codes: [String]) -> Decimal? {
    let found = ([name] + codes).lazy.compactMap { self.medicines(named: $0) }.first
    guard let found, found.list.isComplete, found.list.ingredients.count == 1 else { return nil }
    return doseTables.filter { found.list.ingredients.contains($0.ingredient) }
      .compactMap { $0.dayInAll.flatMap { Decimal(string: $0.milligramsText) } }.max()
  }
}
