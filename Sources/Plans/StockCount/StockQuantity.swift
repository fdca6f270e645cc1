// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization

/// An exact amount of a stock, in whole millionths of its unit; it may be negative.
package struct StockQuantity: Sendable, Hashable, Comparable {
  /// An empty stock.
  package static let zero = StockQuantity(millionths: 0)
  private static let scale = Decimal(1_000_000)

  /// The amount in millionths of the unit.
  package let millionths: Int64

  /// Creates an amount.
  package init(millionths: Int64) {
    self.millionths = millionths
  }

  /// Converts a number of units; nil if it is not a whole number of millionths, or larger than
  /// ``Amount/largest``.
  package init?(_ value: Decimal) {
    var scaled = value * Self.scale
    var whole = Decimal()
    NSDecimalRound(&whole, &scaled, 0, .plain)
    guard whole == value * Self.scale, abs(value) <= Amount.largest else { return nil }
    millionths = NSDecimalNumber(decimal: whole).int64Value
  }

  /// Reads a positive number as it is typed or stored; nil for anything else.
  package init?(text: String) {
    guard let value = Amount.decimal(text) else { return nil }
    self.init(value)
  }

  /// The amount in units of the stock.
  package var decimal: Decimal { Decimal(millionths) / Self.scale }

  /// The amount in digits with a point, without trailing zeros.
  package var text: String {
    let whole = millionths.magnitude / 1_000_000
    let rest = String(millionths.magnitude % 1_000_000 + 1_000_000).dropFirst()
    let places = String(rest.reversed().drop { $0 == "0" }.reversed())
    return (millionths < 0 ? "-" : "") + "\(whole)" + (places.isEmpty ? "" : "." + places)
  }

  /// Returns true if the left amount is smaller.
  package static func < (left: StockQuantity, right: StockQuantity) -> Bool {
    left.millionths < right.millionths
  }

  /// Returns the sum, clamped to the representable ends, which are beyond any stock.
  package static func + (left: StockQuantity, right: StockQuantity) -> StockQuantity {
    StockQuantity(millionths: left.millionths.addingClamped(right.millionths))
  }

  /// Returns the difference, clamped to the representable ends.
  package static func - (left: StockQuantity, right: StockQuantity) -> StockQuantity {
    StockQuantity(millionths: left.millionths.subtractingClamped(right.millionths))
  }

  /// Returns the amount with the opposite sign.
  package static prefix func - (value: StockQuantity) -> StockQuantity { .zero - value }

  /// Adds an amount, clamped to the representable ends.
  package static func += (left: inout StockQuantity, right: StockQuantity) {
    left = left + right
  }
}

/// The unit in which a stock is counted, with the content of one unit if it is known.
package struct StockUnit: Sendable, Hashable {
  /// The unit as written, such as "tablet".
  package let unit: String
  /// The unit's code; nil if it has none.
  package let code: String?
  /// The content of one unit, such as 500 mg in a tablet; nil if it is not known.
  package let strength: Amount?

  /// Creates a unit.
  package init(unit: String, code: String? = nil, strength: Amount? = nil) {
    self.unit = unit
    self.code = code
    self.strength = strength
  }

  /// Returns a quantity of the stock as an amount, to show it.
  package func amount(_ quantity: StockQuantity) -> Amount {
    Amount(stored: quantity.text, unit: unit, code: code)
  }

  /// Converts an amount to a quantity of the stock; nil if that is not certain.
  ///
  /// Units of the same kind are converted as they are; milligrams and the like through the strength
  /// of the stock, or else of the plan. If both state one and they differ, the same content of
  /// substance counts.
  ///
  /// - Parameter plan: the limits and strength of the plan that was taken; nil if none are known.
  package func quantity(of amount: Amount, of plan: PlanLimits?) -> StockQuantity? {
    guard let given = Measure(amount),
      let one = Measure(Amount(stored: "1", unit: unit, code: code)),
      one.value > 0
    else { return nil }
    let own = strength.flatMap(Measure.init).map {
      Measure(kind: $0.kind, value: $0.value / one.value)
    }
    let theirs = plan?.strength.flatMap(StockStrength.init)
    var used: Decimal?
    if given.kind == one.kind {
      used = given.value / one.value
      if let own, let theirs, theirs.per == given.kind, theirs.held.kind == own.kind,
        own.value > 0, theirs.held.value != own.value
      {
        used = given.value * theirs.held.value / own.value / one.value
      }
    } else if let own, own.kind == given.kind, own.value > 0 {
      used = given.value / own.value / one.value
    } else if let theirs, theirs.held.kind == given.kind, theirs.per == one.kind,
      theirs.held.value > 0
    {
      used = given.value / theirs.held.value / one.value
    }
    return used.flatMap { $0 > 0 ? StockQuantity($0) : nil }
  }
}

/// The content of one unit of a plan's dose.
private struct StockStrength {
  let held: Measure
  let per: Measure.Kind

  init?(_ strength: PlanLimits.Strength) {
    guard
      let held = Measure(
        Amount(stored: strength.value, unit: strength.unit, code: strength.code)),
      let per = Measure(
        Amount(stored: strength.perValue, unit: strength.perUnit, code: strength.perCode)),
      per.value > 0
    else { return nil }
    self.held = Measure(kind: held.kind, value: held.value / per.value)
    self.per = per.kind
  }
}
