// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Localization
import People

/// A dose made of several tablets, such as one of 5 mg and one of 2.5 mg.
package struct DoseMix: Sendable, Hashable {
  /// A number of tablets of one strength.
  package struct Part: Sendable, Hashable {
    /// The number of tablets, a decimal as written.
    package let count: String
    /// The strength of each, a decimal as written, in the unit of the dose.
    package let strength: String
  }

  /// The tablets, 1 to 6 parts.
  package let parts: [Part]

  private static let mostParts = 6

  /// Reads tablets as they are typed, such as `1 x 5 + 1 x 2.5`; letters after a number, such as
  /// its unit, are ignored.
  ///
  /// Nil for a number without a multiplication or plus sign, and for anything else.
  package init?(typed text: String) {
    let isMix = text.contains { "x×*+".contains($0.lowercased()) }
    guard isMix else { return nil }
    var parts: [Part] = []
    for piece in text.lowercased().split(separator: "+", omittingEmptySubsequences: false) {
      let sides = piece.split(
        omittingEmptySubsequences: false, whereSeparator: { "x×*".contains($0) })
      let numbers = sides.map { side in
        DraftText.decimal(
          String(side.reversed().drop { $0.isLetter || $0.isWhitespace }.reversed()))
      }
      switch (numbers.first ?? nil, numbers.count) {
      case (let strength?, 1): parts.append(Part(count: "1", strength: strength))
      case (let count?, 2):
        guard let strength = numbers[1] else { return nil }
        parts.append(Part(count: count, strength: strength))
      default: return nil
      }
    }
    guard (1...Self.mostParts).contains(parts.count),
      parts.allSatisfy({ Amount.decimal($0.count) != nil && Amount.decimal($0.strength) != nil })
    else { return nil }
    self.parts = parts
  }

  /// The form that ``init(typed:)`` reads.
  package var text: String {
    parts.map { "\($0.count) x \($0.strength)" }.joined(separator: " + ")
  }

  /// The sum of the tablets, as a decimal in the unit of the dose.
  package var total: String {
    let sum = parts.reduce(Decimal(0)) { sum, part in
      sum + (Amount.decimal(part.count) ?? 0) * (Amount.decimal(part.strength) ?? 0)
    }
    return NSDecimalNumber(decimal: sum).stringValue
  }
}

extension DoseMix {
  private static let part = "part"
  private static let count = "count"
  private static let strength = "strength"

  /// The extension of a Dosage, with the strengths in a unit.
  func element(unit: String, code: String?) -> JSONValue {
    let parts = parts.map { part -> JSONValue in
      [
        "url": .string(Self.part),
        "extension": [
          [
            "url": .string(Self.count),
            "valueDecimal": JSONNumber(text: part.count).map { .number($0) } ?? .null,
          ],
          [
            "url": .string(Self.strength),
            "valueQuantity": PlanDraft.quantity(part.strength, unit: unit, code: code),
          ],
        ],
      ]
    }
    return ["url": .string(DosageExtension.mix.rawValue), "extension": .array(parts)]
  }

  /// Reads the tablets that a dosage states; nil if it states none or they cannot be read.
  package init?(_ dosage: DosageView) {
    guard let own = DosageExtension.mix.of(dosage) else { return nil }
    var parts: [Part] = []
    for part in own["extension"]?.array ?? [] where part["url"]?.string == Self.part {
      let values = part["extension"]?.array ?? []
      let count = values.first { $0["url"]?.string == Self.count }?["valueDecimal"]?.number?.text
      let strength = values.first { $0["url"]?.string == Self.strength }?["valueQuantity"]
        .map(QuantityView.init)?.valueText
      guard let count, let strength, Amount.decimal(count) != nil, Amount.decimal(strength) != nil
      else { return nil }
      parts.append(Part(count: count, strength: strength))
    }
    guard (1...Self.mostParts).contains(parts.count) else { return nil }
    self.parts = parts
  }

  /// Returns true if the tablets add up to an amount.
  func makes(_ value: String) -> Bool {
    guard let amount = Amount.decimal(value) else { return false }
    return Amount.decimal(total) == amount
  }
}
