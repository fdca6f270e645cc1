// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Localization

/// The international units in one piece or volume of a medicine, from its strength or else its name:
/// `Vitamin D3 20,000 IU capsules`.
struct StatedUnits: Sendable, Hashable {
  let units: Decimal
  /// The volume that contains them, in millilitres; nil for a solid unit such as a capsule.
  let milliliters: Decimal?

  /// Returns the content of an amount in international units, or nil if the strength does not fit it.
  func units(of amount: Amount) -> Decimal? {
    guard let measure = Measure(amount) else { return nil }
    if let stated = measure.internationalUnits { return stated }
    if measure.kind == .volume { return milliliters.map { measure.value / $0 * units } }
    return milliliters == nil && (measure.isCounted || measure.isOfInjection)
      ? measure.value * units : nil
  }
}

extension StatedUnits {
  init?(_ request: MedicationRequestView) {
    guard let stated = PlanLimits.Strength(request) else {
      self.init(name: request.medicationName ?? "")
      return
    }
    guard
      let held = Measure(Amount(stored: stated.value, unit: stated.unit, code: stated.code))?
        .internationalUnits,
      let per = Measure(
        Amount(stored: stated.perValue, unit: stated.perUnit, code: stated.perCode)),
      per.value > 0
    else {
      // The unit can be a concentration, as the form offers it: `IU/mL`.
      self.init(name: "\(stated.value) \(stated.unit)")
      return
    }
    let isLiquid = per.kind == .volume
    self.init(
      units: isLiquid ? held : held / per.value, milliliters: isLiquid ? per.value : nil)
  }

  /// Reads the units stated in a name; returns nil if there are none, or several.
  init?(name: String) {
    let pattern =
      /(?i)(?:^|[\s\(,;:\/+])(\d{1,3}(?:[ .,'\u{A0}\u{202F}]\d{3})+|\d+)\s*(?:iu|i\.u\.|ie|i\.e\.|ui|units?)(?![a-z])(?:\s*\/\s*(\d+(?:[.,]\d+)?)?\s*(mL))?/
    let found = name.nameToSearch.matches(of: pattern)
    guard found.count == 1, let match = found.first,
      let number = Decimal(string: String(match.1.filter { $0.isNumber })), number > 0
    else { return nil }
    guard match.3 != nil else {
      self.init(units: number, milliliters: nil)
      return
    }
    let volume =
      match.2.flatMap { Decimal(string: String($0).replacing(",", with: ".")) } ?? 1
    guard volume > 0 else { return nil }
    self.init(units: number, milliliters: volume)
  }
}

extension Measure {
  /// The value in international units if it is counted in them, else nil.
  var internationalUnits: Decimal? { kind == .unit(DoseUnit.unit.rawValue) ? value : nil }
}
