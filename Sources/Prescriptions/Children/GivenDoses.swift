// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Knowledge
import Localization
import Plans
import Storage

/// The intakes of the last 24 hours, as the dose calculator needs them.
package enum GivenDoses {
  private static let day: Int64 = 24 * 3_600_000

  /// Returns everything taken in the 24 hours before `now`, from any product, the oldest first.
  ///
  /// The amount of the ingredient is nil if it cannot be calculated, and the ingredients are nil if they
  /// are unknown.
  package static func lastDay(
    of ingredient: String, patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws -> [GivenDose] {
    let rows = try reader.query(
      intakesStatement,
      [
        .text(patient), .integer(now.milliseconds - day), .integer(now.milliseconds),
      ])
    return try rows.map { row in
      let row = row.read(GivenIntakeRow.self)
      let taken = try row.timestamp(.taken)
      let minutes = Int((now.milliseconds - taken.milliseconds) / 60_000)
      guard let list = Ingredient.listed(column: try row.text(.ingredients)) else {
        return GivenDose(ingredients: nil, amount: nil, minutesAgo: minutes)
      }
      // The listed ingredients of a product count even if the list is incomplete; the rest may be anything.
      guard list.isComplete || list.ingredients.contains(ingredient) else {
        return GivenDose(ingredients: nil, amount: nil, minutesAgo: minutes)
      }
      var limits: PlanLimits?
      if let plan: PlanID = try row.optionalID(.plan) {
        // By the prescription at that time, since the bottle may have changed.
        limits = try Self.limits(of: plan, patient: patient, at: taken, in: reader)
      }
      let amount =
        try row.optionalText(.amountValue).map {
          Amount(stored: $0, unit: try row.optionalText(.amountUnit) ?? "", code: nil)
        } ?? limits?.dose
      // The content of each ingredient of a combination is not stored here.
      let mass =
        list.ingredients == [ingredient]
        ? amount.flatMap { milligrams(of: $0, strength: limits?.strength) } : nil
      return GivenDose(
        ingredients: list.ingredients, amount: mass.flatMap(IngredientMass.init(milligrams:)),
        minutesAgo: minutes)
    }
  }

  private static let intakesStatement = SQLStatement(
    """
    SELECT \(GivenIntakeRow.columns) FROM intakes
    WHERE patient = $1 AND taken > $2 AND taken <= $3 ORDER BY taken, administration
    """)

  /// Returns the content of a prescription at an instant; its first content for an earlier instant.
  private static func limits(
    of plan: PlanID, patient: PatientID, at instant: Timestamp, in reader: any SQLReader
  ) throws -> PlanLimits? {
    let versions: [PrescriptionVersionRow] = try reader.query(
      versionsStatement, [.text(patient), .text(plan)]
    ).decode()
    var found: String?
    for version in versions where found == nil || version.lastUpdated <= instant {
      found = version.body ?? found
    }
    return try found.map {
      PlanLimits(MedicationRequestView(try JSONValue(parsing: Array($0.utf8))))
    }
  }

  private static let versionsStatement = SQLStatement(
    """
    SELECT \(PrescriptionVersionRow.columns) FROM resources
    WHERE type = 'MedicationRequest' AND patient = $1 AND id = $2
    UNION ALL
    SELECT \(PrescriptionVersionRow.columns) FROM resource_versions
    WHERE type = 'MedicationRequest' AND patient = $1 AND id = $2
    ORDER BY version
    """)

  /// Returns the milligrams in an amount; nil if the strength does not state them.
  static func milligrams(of amount: Amount, strength: PlanLimits.Strength?) -> Decimal? {
    guard let measure = Measure(amount) else { return nil }
    if measure.kind == .mass { return measure.value }
    guard let strength else { return nil }
    var held = Amount(stored: strength.value, unit: strength.unit, code: strength.code)
    var per = Amount(stored: strength.perValue, unit: strength.perUnit, code: strength.perCode)
    // `24 mg/mL`, as the form of a medicine stores it.
    let halves = strength.unit.split(separator: "/")
    if halves.count == 2 {
      held = Amount(stored: strength.value, unit: String(halves[0]), code: nil)
      per = Amount(stored: "1", unit: String(halves[1]), code: nil)
    }
    guard let holds = Measure(held), holds.kind == .mass, let of = Measure(per), of.value > 0,
      of.kind == measure.kind
        || (of.kind == .unit(DoseUnit.dose.rawValue) && measure.isCounted)
    else { return nil }
    return measure.value * holds.value / of.value
  }
}

/// An intake with its amount and ingredients.
enum GivenIntakeRow: SQLRowType {
  enum Column: Int, SQLColumn { case taken, plan, amountValue, amountUnit, ingredients }

  static let columns = SQLColumns<Column>()
}

/// A version of a prescription.
struct PrescriptionVersionRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case version, lastUpdated, body }

  static let columns = SQLColumns<Column>()

  let lastUpdated: Timestamp
  /// The JSON; nil for a deletion.
  let body: String?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    lastUpdated = try row.timestamp(.lastUpdated)
    body = try row.optionalText(.body)
  }
}

extension IngredientMass {
  /// Rounds up to the microgram, so that an intake never looks smaller than it was; nil beyond any dose.
  init?(milligrams: Decimal) {
    var micrograms = milligrams * 1_000
    guard micrograms >= 0, micrograms < 1_000_000_000_000 else { return nil }
    var rounded = Decimal()
    NSDecimalRound(&rounded, &micrograms, 0, .up)
    self.init(micrograms: NSDecimalNumber(decimal: rounded).intValue)
  }
}
