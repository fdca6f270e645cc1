// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization

extension Measure {
  /// Converts an amount to the unit of its kind; nil if its number cannot be read.
  package init?(_ amount: Amount) {
    guard let number = Amount.decimal(amount.value) else { return nil }
    guard let unit = DoseUnit(code: amount.code, text: amount.unit) else {
      self.init(kind: .word(Ingredient.normalised(amount.unit)), value: number)
      return
    }
    switch unit {
    case .gram: self.init(kind: .mass, value: number * 1_000)
    case .milligram: self.init(kind: .mass, value: number)
    case .microgram: self.init(kind: .mass, value: number / 1_000)
    case .nanogram: self.init(kind: .mass, value: number / 1_000_000)
    case .liter: self.init(kind: .volume, value: number * 1_000)
    case .milliliter: self.init(kind: .volume, value: number)
    default: self.init(kind: .unit(unit.rawValue), value: number)
    }
  }

  /// True for pieces of equal content, such as tablets and puffs, so that "one dose" of a strength
  /// means one of them.
  package var isCounted: Bool {
    guard case .unit(let name) = kind, let unit = DoseUnit(rawValue: name) else { return false }
    switch unit {
    case .tablet, .capsule, .puff, .spray, .patch, .sachet, .suppository, .pessary, .lozenge,
      .piece,
      .dose:
      return true
    default: return false
    }
  }
}

extension PlanLimits {
  /// Returns the share of a limit that an intake uses, in the limit's kind of unit.
  ///
  /// An intake whose amount cannot be compared counts as one dose of the plan. Nil if that cannot be compared
  /// either, so that the limit cannot be counted here.
  ///
  /// - Parameter source: the limits of the plan that was taken, if it is another one: its tablets may be
  ///   stronger.
  func use(of limit: Quantity, by amount: Amount?, from source: PlanLimits? = nil) -> Decimal? {
    guard let most = Measure(limit.amount) else { return nil }
    if let source, let used = source.measured(amount ?? source.dose, as: most.kind) { return used }
    return measured(amount, as: most.kind) ?? measured(dose, as: most.kind)
  }

  private func measured(_ amount: Amount?, as kind: Measure.Kind) -> Decimal? {
    guard let amount, let measure = Measure(amount) else { return nil }
    if measure.kind == kind { return measure.value }
    guard let strength,
      let held = Measure(Amount(stored: strength.value, unit: strength.unit, code: strength.code)),
      let per = Measure(
        Amount(stored: strength.perValue, unit: strength.perUnit, code: strength.perCode)),
      held.kind == kind, per.value > 0,
      per.kind == measure.kind || (per.kind == .unit(DoseUnit.dose.rawValue) && measure.isCounted)
    else { return nil }
    return measure.value * held.value / per.value
  }
}
