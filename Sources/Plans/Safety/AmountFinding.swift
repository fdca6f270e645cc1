// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Knowledge
import Localization
import Scheduling
import Storage

/// An amount that is off by an order of magnitude, or in a unit that does not suit the medicine's form.
///
/// These are questions about typing errors, not dosing limits: they catch most tenfold errors, and
/// an unusual amount that is intended can be confirmed.
package struct AmountFinding: Sendable, Hashable {
  /// The reason for which the amount looks unlikely.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A tiny fraction of one piece, or far too many pieces.
    case strength
    /// Far from every strength that is listed for the medicine.
    case known
    /// More in a single dose than the maximum for a day.
    case maximum
    /// More in the doses of one day together than the maximum for a day.
    case day
    /// A number of pieces, or of units of insulin, that no one takes at once.
    case count
    /// A unit that does not suit the form.
    case unit
  }

  /// The reason for the finding.
  package let kind: Kind
  /// The amount of a dose; for ``Kind/day`` the total of the day.
  package let amount: Amount
  /// The stated strength as written; nil for kinds that do not compare with it.
  package let strength: String?
  /// The lowest strength listed for the medicine, in milligrams; nil for kinds other than
  /// ``Kind/known``.
  package let least: Decimal?
  /// The highest listed strength or the daily maximum, in milligrams; nil for kinds that compare
  /// with neither.
  package let most: Decimal?

  /// The key in forms and confirmations; a confirmation covers only these numbers.
  package var key: String { "amount-\(kind.rawValue)-\(amount.value)-\(amount.unit)" }
  /// The numbers that a person confirms: value, unit and stated strength.
  package var stated: String {
    [amount.value, amount.unit, strength ?? ""].joined(separator: " ")
  }
}

extension AmountFinding {
  /// The factor from which an amount is unlikely: an order of magnitude.
  private static let factor = Decimal(10)

  /// Returns the unlikely amounts of a request: at most one finding per amount, and one for a day.
  ///
  /// - Parameter limits: the person's own daily limits for the ingredient, in milligrams.
  package static func all(
    in request: MedicationRequestView, mostADay limits: [Decimal] = []
  ) -> [AmountFinding] {
    let strength = StatedStrength(request)
    let form = MedicineDetails(request).form
    let name = request.medicationName ?? ""
    let column = Ingredient.column(Ingredient.keys(of: request))
    // The listed strengths of a single ingredient do not apply to a combination.
    let isSingle = request.medication.ingredientNames.count == 1
    let codes =
      isSingle ? Ingredient.searched(column: column) : Ingredient.knownCodes(column: column)
    let known = Handbook.shipped.knownMilligrams(name: name, codes: codes)
    let most =
      (limits + [Handbook.shipped.mostMilligramsADay(name: name, codes: codes)].compactMap(\.self))
      .min()
    let insulin = InsulinDose(request, name: name, codes: codes)
    var seen: Set<Amount> = []
    let amounts = request.dosages.filter { !$0.isPlacebo }.compactMap(TimingReader.amount)
      .filter { seen.insert($0).inserted }
    let found = amounts.compactMap { amount in
      finding(
        amount, strength: strength, form: form, known: known, most: most, insulin: insulin)
    }
    guard let most else { return found }
    var masses: [Amount: Decimal] = [:]
    for amount in amounts { masses[amount] = milligrams(of: amount, strength) }
    return found + [day(request, masses: masses, most: most)].compactMap(\.self)
  }

  /// Returns the day with the highest total of several doses; nil if it does not exceed the daily maximum.
  ///
  /// A single dose is checked separately. As-needed doses have no day.
  private static func day(
    _ request: MedicationRequestView, masses: [Amount: Decimal], most: Decimal
  ) -> AmountFinding? {
    // Any zone works for times of day.
    let zone = Zone.utc
    guard !masses.isEmpty,
      let expected = ExpectedDoses(request, zone: zone, rhythm: DailyRhythm())
    else { return nil }
    var largest = Decimal(0)
    for doses in expected.stretches {
      var days: [CivilDate: [Decimal]] = [:]
      for dose in doses {
        guard let mass = dose.amount.flatMap({ masses[$0] }) else { continue }
        days[zone.date(at: dose.due), default: []].append(mass)
      }
      for day in days.values where day.count > 1 { largest = max(largest, day.reduce(0, +)) }
    }
    guard largest > most, let amount = Self.amount(milligrams: largest) else { return nil }
    return AmountFinding(kind: .day, amount: amount, strength: nil, least: nil, most: most)
  }

  /// Returns an amount in milligrams, exact to the microgram.
  private static func amount(milligrams: Decimal) -> Amount? {
    var (exact, rounded) = (milligrams, Decimal(0))
    NSDecimalRound(&rounded, &exact, 3, .plain)
    let unit = DoseUnit.milligram.ucumCode
    return Amount(value: "\(rounded)", unit: unit, code: unit)
  }

  private static func milligrams(of amount: Amount, _ strength: StatedStrength?) -> Decimal? {
    Measure(amount)?.milligrams ?? strength?.milligrams(of: amount)
  }

  private static func finding(
    _ amount: Amount, strength: StatedStrength?, form: MedicineForm?,
    known: ClosedRange<Decimal>?, most: Decimal?, insulin: InsulinDose?
  ) -> AmountFinding? {
    guard let measure = Measure(amount) else { return nil }
    func found(
      _ kind: Kind, strength: String? = nil, least: Decimal? = nil, most: Decimal? = nil
    ) -> AmountFinding {
      AmountFinding(kind: kind, amount: amount, strength: strength, least: least, most: most)
    }
    if let unit = DoseUnit(code: amount.code, text: amount.unit), let form, !form.has(unit) {
      return found(.unit)
    }
    if let insulin, insulin.isExceeded(by: amount) { return found(.count) }
    if let strength, strength.milliliters == nil, let mass = measure.milligrams,
      isFar(mass, from: strength.milligrams...strength.milligrams)
    {
      return found(.strength, strength: strength.text)
    }
    let mass = milligrams(of: amount, strength)
    if let mass, let known, isFar(mass, from: known) {
      return found(.known, least: known.lowerBound, most: known.upperBound)
    }
    if let mass, let most, mass > most { return found(.maximum, most: most) }
    guard case .unit(let name) = measure.kind, let unit = DoseUnit(rawValue: name) else {
      return measure.kind == .volume && isUnlikely(milliliters: measure.value) ? found(.count) : nil
    }
    guard let pieces = unit.mostPieces else { return nil }
    return measure.value > pieces || measure.value * factor < 1 ? found(.count) : nil
  }

  private static func isFar(_ mass: Decimal, from known: ClosedRange<Decimal>) -> Bool {
    mass >= known.upperBound * factor && mass > 0 || mass * factor <= known.lowerBound
  }

  /// Returns true if one dose is more than a cup or less than a drop.
  private static func isUnlikely(milliliters: Decimal) -> Bool {
    milliliters > 250 || milliliters * 100 < 1
  }
}

extension DoseUnit {
  /// The most pieces that anyone takes at once; nil if the unit does not count pieces.
  fileprivate var mostPieces: Decimal? {
    switch self {
    case .tablet, .capsule, .lozenge, .piece, .dose: 20
    case .puff, .spray, .spoonful, .application: 20
    case .sachet, .suppository, .pessary, .patch, .injection, .ampoule, .vial: 10
    case .drop: 100
    case .milliliter, .liter, .milligram, .microgram, .nanogram, .gram, .millimole, .unit: nil
    }
  }

  /// True for a mass or an amount of substance, which suits any form.
  fileprivate var isOfSubstance: Bool {
    switch self {
    case .milligram, .microgram, .nanogram, .gram, .millimole, .unit, .dose, .piece: true
    default: false
    }
  }
}

extension MedicineForm {
  /// Returns true if amounts of this form can be given in a unit.
  fileprivate func has(_ unit: DoseUnit) -> Bool {
    if unit.isOfSubstance || self == .other { return true }
    let own: Set<DoseUnit> =
      switch self {
      case .tablet: [.tablet, .lozenge]
      case .capsule: [.capsule]
      case .drops: [.drop, .milliliter]
      case .liquid: [.milliliter, .liter, .spoonful, .drop, .sachet, .ampoule, .puff, .spray]
      case .puff: [.puff, .spray, .capsule]
      case .injection: [.injection, .ampoule, .vial, .milliliter]
      case .patch: [.patch]
      case .sachet: [.sachet, .milliliter, .spoonful]
      case .suppository: [.suppository, .pessary]
      case .cream: [.application, .milliliter]
      case .spray: [.spray, .puff, .milliliter]
      case .other: []
      }
    return own.contains(unit)
  }
}

extension AmountFinding {
  /// Returns the findings about a plan's amounts, including the limits set for the person.
  static func all(
    in request: MedicationRequestView, patient: PatientID, _ reader: any SQLReader
  ) throws(StorageError) -> [AmountFinding] {
    let contents = Ingredient.contents(
      column: Ingredient.column(Ingredient.keys(of: request)))
    let limits = try IngredientLimits.all(patient: patient, in: reader)
      .filter { $0.hours >= 24 && contents.contains(Ingredient.contentKey($0.ingredient)) }
      .compactMap { Measure($0.quantity.amount)?.milligrams }
    return all(in: request, mostADay: limits)
  }

  /// Returns the unconfirmed findings about a plan's amounts.
  package static func unconfirmed(
    _ request: MedicationRequestView, subjects: [String?], confirmed: [PlanConfirmation] = [],
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [AmountFinding] {
    let found = try all(in: request, patient: patient, reader)
    if found.isEmpty { return [] }
    var known = confirmed
    for case let subject? in subjects {
      known += try PlanConfirmations.all(of: subject, patient: patient, in: reader)
        .map(\.confirmation)
    }
    return found.filter { finding in
      !known.contains { $0.question == finding.key && $0.stated == finding.stated }
    }
  }
}
