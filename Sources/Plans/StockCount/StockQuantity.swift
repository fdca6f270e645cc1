// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization

/// How much of a stock, exactly: whole millionths of its unit.
package struct StockQuantity: Sendable, Hashable, Comparable {
  package static let zero = StockQuantity(millionths: 0)
  private static let scale = Decimal(1_000_000)

  package let millionths: Int64

  package init(millionths: Int64) {
    self.millionths = millionths
  }

  /// Nil where the number is not a whole number of millionths, or beyond any stock.
  package init?(_ value: Decimal) {
    var scaled = value * Self.scale
    var whole = Decimal()
    NSDecimalRound(&whole, &scaled, 0, .plain)
    guard whole == value * Self.scale, abs(value) <= Amount.largest else { return nil }
    millionths = NSDecimalNumber(decimal: whole).int64Value
  }

  /// A positive number as it is typed or kept; nil for anything else.
  package init?(text: String) {
    guard let value = Amount.decimal(text) else { return nil }
    self.init(value)
  }

  package var decimal: Decimal { Decimal(millionths) / Self.scale }

  /// Digits with a point, without needless zeros.
  package var text: String {
    let whole = millionths.magnitude / 1_000_000
    let rest = String(millionths.magnitude % 1_000_000 + 1_000_000).dropFirst()
    let places = String(rest.reversed().drop { $0 == "0" }.reversed())
    return (millionths < 0 ? "-" : "") + "\(whole)" + (places.isEmpty ? "" : "." + places)
  }

  package static func < (left: StockQuantity, right: StockQuantity) -> Bool {
    left.millionths < right.millionths
  }

  /// Stops at the representable ends, which are beyond any stock.
  package static func + (left: StockQuantity, right: StockQuantity) -> StockQuantity {
    StockQuantity(millionths: left.millionths.addingClamped(right.millionths))
  }

  package static func - (left: StockQuantity, right: StockQuantity) -> StockQuantity {
    StockQuantity(millionths: left.millionths.subtractingClamped(right.millionths))
  }

  package static prefix func - (value: StockQuantity) -> StockQuantity { .zero - value }

  package static func += (left: inout StockQuantity, right: StockQuantity) {
    left = left + right
  }
}

/// In what a stock is counted, and what one of it holds where that is known.
package struct StockUnit: Sendable, Hashable {
  package let unit: String
  package let code: String?
  /// Such as 500 mg in a tablet.
  package let strength: Amount?

  package init(unit: String, code: String? = nil, strength: Amount? = nil) {
    self.unit = unit
    self.code = code
    self.strength = strength
  }

  /// An amount of it, for saying.
  package func amount(_ quantity: StockQuantity) -> Amount {
    Amount(stored: quantity.text, unit: unit, code: code)
  }

  /// How much of the stock an amount is; nil where that is not certain.
  ///
  /// The same kind of unit counts as it is; milligrams and the like through the strength, of the stock or else of
  /// the plan. Where both state one and they differ, the substance counts.
  ///
  /// - Parameter plan: what is known of the plan that was taken.
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

/// What one unit of a plan's dose holds.
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
