// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Localization
import People
import Storage

/// The medicine name shown everywhere, with the strength unless the name already includes it.
///
/// Otherwise two strengths of one medicine would look the same in a list.
package enum ShownName {
  /// Returns the shown name of a prescription's medicine; empty if it has none.
  package static func of(_ request: MedicationRequestView, in language: Language) -> String {
    let name = PlanChange.name(request)
    guard let strength = strength(of: request, in: language) else { return name }
    return "\(name) \(strength)"
  }

  /// Returns a name with a strength that was entered apart from it, unless the name includes it.
  package static func of(_ name: String, strength: Amount, in language: Language) -> String {
    guard let value = Amount.decimal(strength.value), !numbers(in: name).contains(value) else {
      return name
    }
    let localizer = Localizer.of(language)
    return "\(name) \(localizer.number(value)) \(Strength.unit(strength.unit, localizer))"
  }

  /// Returns the strength as text, `47.5 mg`, or nil if none is stated or the name already includes it.
  private static func strength(
    of request: MedicationRequestView, in language: Language
  ) -> String? {
    let ingredients = request.medication.contained?["ingredient"]?.array ?? []
    let strengths = ingredients.compactMap { Strength($0["strength"], Localizer.of(language)) }
    // The strength of only some of the ingredients would be misleading.
    guard !strengths.isEmpty, strengths.count == ingredients.count else { return nil }
    let said = numbers(in: PlanChange.name(request))
    if strengths.allSatisfy({ said.contains($0.value) }) { return nil }
    let units = Set(strengths.map(\.unit))
    if let unit = units.first, units.count == 1 {
      return "\(strengths.map(\.number).joined(separator: "/")) \(unit)"
    }
    return strengths.map { "\($0.number) \($0.unit)" }.joined(separator: " / ")
  }

  /// The strength of one ingredient.
  private struct Strength {
    let value: Decimal
    let number: String
    let unit: String

    init?(_ strength: JSONValue?, _ localizer: Localizer) {
      guard let numerator = strength?["numerator"].map(QuantityView.init),
        let value = numerator.value, let unit = numerator.unit ?? numerator.code
      else { return nil }
      self.value = value
      number = localizer.number(value)
      self.unit = Self.unit(unit, localizer) + Self.per(strength?["denominator"], localizer)
    }

    /// Returns the unit of volume that the amount refers to, `/mL`; empty for solid forms such as tablets.
    private static func per(_ denominator: JSONValue?, _ localizer: Localizer) -> String {
      guard let quantity = denominator.map(QuantityView.init),
        let unit = quantity.unit ?? quantity.code, let value = quantity.value,
        measured.contains(unit.lowercased())
      else { return "" }
      let number = value == 1 ? "" : "\(localizer.number(value)) "
      return "/\(number)\(ShownName.Strength.unit(unit, localizer))"
    }

    private static let measured: Set<String> = ["ml", "l", "g", "mg", "h"]

    static func unit(_ unit: String, _ localizer: Localizer) -> String {
      let parts = unit.split(separator: "/", maxSplits: 1).map { part in
        known[part.lowercased()].map {
          localizer.text("plans.strength-unit", ["unit": .text($0)])
        } ?? word(String(part), localizer)
      }
      return parts.filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// Returns a unit in braces, `{tablet}`, by its name or as its own word; any other unit as it is.
    private static func word(_ unit: String, _ localizer: Localizer) -> String {
      guard unit.hasPrefix("{"), let known = DoseUnit(code: unit, text: nil) else {
        return UnitAnnotation.word(unit)
      }
      return localizer.name(of: known)
    }

    /// Spells out "µg", which is easily misread (ISMP, error-prone abbreviations).
    private static let known = [
      "mg": "mg", "g": "g", "ml": "ml", "microgram": "microgram", "ug": "microgram",
      "µg": "microgram", "μg": "microgram", "mcg": "microgram", "iu": "iu", "[iu]": "iu",
      "mmol": "mmol",
    ]
  }

  /// Returns the standalone numbers in a name: `Entresto 97/103` has two, `Vitamin B12` none.
  ///
  /// A mark between digits can separate decimals or thousands; both readings count.
  private static func numbers(in name: String) -> Set<Decimal> {
    var found: Set<Decimal> = []
    var digits = ""
    var before: Character = " "
    var start: Character = " "
    func end() {
      let trimmed = digits.trimmingCharacters(in: [".", ","])
      guard !trimmed.isEmpty, !start.isLetter else { return }
      if let value = Amount.decimal(trimmed.replacing(",", with: ".")) { found.insert(value) }
      let joined = trimmed.filter(\.isWholeNumber)
      if let value = Amount.decimal(joined) { found.insert(value) }
    }
    for character in name + " " {
      let isPart =
        character.isASCII && character.isWholeNumber
        || (!digits.isEmpty && (character == "." || character == ","))
      if isPart {
        if digits.isEmpty { start = before }
        digits.append(character)
      } else {
        end()
        digits = ""
      }
      before = character
    }
    return found
  }
}

/// The shown names of stored plans, saved with them so that every list can read them.
package enum ShownNames {
  /// Renews the shown names of all plans of a patient whose language has changed.
  package static func renew(
    of patient: PatientID, in language: Language, consequences: Consequences,
    writer: any SQLWriter
  ) throws {
    for row in try PlanStore.all(patient: patient, in: writer) {
      var snapshot = try PlanSnapshot.load(row, in: writer)
      try renew(&snapshot, in: language, consequences: consequences, writer: writer)
    }
  }

  /// Renews the shown name of a plan and of what is recorded under it.
  static func renew(
    _ snapshot: inout PlanSnapshot, in language: Language, consequences: Consequences,
    writer: any SQLWriter
  ) throws {
    let row = snapshot.row
    let name = ShownName.of(snapshot.request, in: language)
    guard row.storedShownName != name else { return }
    snapshot.row.storedShownName = name
    try PlanStore.rename(row.plan, patient: row.patient, to: name, in: writer)
    if row.shownName == name { return }
    try consequences.follow(
      .renamed(from: row.shownName, to: name), of: row.plan, patient: row.patient, in: writer)
  }
}
