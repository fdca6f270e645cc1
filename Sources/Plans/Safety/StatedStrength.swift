// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Localization

/// The content of one unit of a medicine, from its strength or else its name: `goserelin 3.6 mg implant`.
struct StatedStrength: Sendable, Hashable {
  /// The strength as written: `3.6 mg`.
  let text: String
  let milligrams: Decimal
  /// The volume that contains it, in millilitres; nil for a solid unit such as a tablet.
  let milliliters: Decimal?

  init?(_ request: MedicationRequestView) {
    if let stated = PlanLimits.Strength(request), let found = Self(stated) {
      self = found
      return
    }
    self.init(name: request.medicationName ?? "")
  }

  private init?(_ strength: PlanLimits.Strength) {
    // The unit can be a concentration, as the form offers it: `mg/mL`.
    let unit = strength.unit.lowercased()
    if unit.contains("/") || unit.contains("%") {
      self.init(name: "\(strength.value) \(strength.unit)")
      return
    }
    guard
      let held = Measure(
        Amount(stored: strength.value, unit: strength.unit, code: strength.code))?.milligrams,
      let per = Measure(
        Amount(stored: strength.perValue, unit: strength.perUnit, code: strength.perCode)),
      held > 0, per.value > 0
    else { return nil }
    let isLiquid = per.kind == .volume
    self.init(
      text: "\(strength.value) \(strength.unit)",
      milligrams: isLiquid ? held : held / per.value, milliliters: isLiquid ? per.value : nil)
  }

  private init(text: String, milligrams: Decimal, milliliters: Decimal?) {
    self.text = text
    self.milligrams = milligrams
    self.milliliters = milliliters
  }

  /// Reads the mass stated in a name; returns nil if there is none, or several as in `35 mg/450 mg`.
  init?(name: String) {
    let pattern =
      /(?i)(\d+(?:[.,]\d+)?)\s*(mg|g|mcg|µg|μg|ug|microgram|mikrogramm|mikrogram)\b(?:\s*\/\s*(\d+(?:[.,]\d+)?)?\s*(mL|dose|hour|hr|h|24\s*h|m2))?/
    let found = name.nameToSearch.matches(of: pattern)
    guard found.count == 1, let match = found.first,
      let number = Self.number(match.1), number > 0
    else { return nil }
    let scale: Decimal? =
      switch match.2.lowercased() {
      case "mg": 1
      case "g": 1_000
      default: Decimal(string: "0.001")
      }
    guard let scale else { return nil }
    let per = match.4?.lowercased()
    // A patch's hourly release does not tell its content.
    guard per == nil || per == "ml" || per == "dose" else { return nil }
    let volume = match.3.flatMap(Self.number) ?? 1
    guard volume > 0 else { return nil }
    self.init(
      text: String(match.0), milligrams: number * scale, milliliters: per == "ml" ? volume : nil)
  }

  private static func number(_ text: Substring) -> Decimal? {
    Decimal(
      string: String(text).replacing(",", with: "."), locale: Locale(identifier: "en_US_POSIX"))
  }

  /// Returns the content of an amount in milligrams, or nil if strength and unit do not fit together.
  func milligrams(of amount: Amount) -> Decimal? {
    guard let measure = Measure(amount) else { return nil }
    switch measure.kind {
    case .mass: return measure.value
    case .volume: return milliliters.map { measure.value / $0 * milligrams }
    case .unit:
      return milliliters == nil && (measure.isCounted || measure.isOfInjection)
        ? measure.value * milligrams : nil
    case .word: return nil
    }
  }
}

extension String {
  /// The beginning of a medicine's name, in which a strength is looked for.
  ///
  /// A program can send a name of megabytes, and the time that the patterns take grows with the square of the length.
  var nameToSearch: String { String(unicodeScalars.prefix(300)) }
}

extension Measure {
  /// The value in milligrams if this is a mass, else nil.
  var milligrams: Decimal? { kind == .mass ? value : nil }

  /// True if the amount is counted in injections, ampoules or vials.
  var isOfInjection: Bool {
    [DoseUnit.injection, .ampoule, .vial].contains { kind == .unit($0.rawValue) }
  }
}
