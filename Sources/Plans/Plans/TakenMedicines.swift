// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Knowledge
import Storage

/// The medicines that a person takes, to be checked for interactions.
package enum TakenMedicines {
  /// The time for which a medicine still counts after its last dose, in milliseconds: a day.
  static let afterwards: Int64 = 24 * 3_600_000

  /// Returns the medicines that have not ended, including paused ones, by name.
  ///
  /// A medicine counts for another day after its last dose.
  package static func all(
    patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Substance] {
    let rows = try reader.query(
      statement,
      [
        .text(patient), SQLValue(PlanRow.complete),
        SQLValue(now.adding(milliseconds: -afterwards)),
      ])
    var found: [Substance] = []
    for row in rows {
      let row = row.read(SubstanceRow.self)
      var medicine = substance(
        plan: try row.id(.plan), name: try row.text(.medicineName),
        ingredients: try row.text(.ingredients))
      medicine.shownName = try row.text(.shownName)
      found.append(medicine)
    }
    return found
  }

  private static let statement = SQLStatement(
    """
    SELECT \(SubstanceRow.columns) FROM plans p
    WHERE p.patient = $1 AND p.status IN ('active', 'on-hold', 'draft')
      AND (p.planned_through < $2 OR p.unplanned_reason IS NOT NULL OR EXISTS (
        SELECT 1 FROM doses d WHERE d.patient = p.patient AND d.plan = p.plan AND d.due > $3))
    ORDER BY p.medicine_name, p.plan
    """)

  /// Returns the substance of a medicine by the name in a form, without codes.
  package static func substance(plan: PlanID, name: String) -> Substance {
    substance(plan: plan, name: name, ingredients: "")
  }

  /// Returns the substance of a medicine by its name, and the codes and names among its ingredient
  /// keys.
  package static func substance(plan: PlanID, name: String, ingredients: String) -> Substance {
    Handbook.shipped.substance(
      id: plan.text, name: name, codes: Ingredient.searched(column: ingredients))
  }
}

/// The names and ingredients of a plan's medicine.
enum SubstanceRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, medicineName, ingredients, shownName
  }

  static let columns = SQLColumns<Column>(
    of: "p", [.shownName: "COALESCE(p.shown_name, p.medicine_name)"])
}

extension Ingredient {
  /// Returns the ATC and RxNorm codes in an `ingredients` column.
  static func knownCodes(column: String) -> [String] {
    codes(column: column).filter { known.contains($0.system ?? "") }.map(\.code)
  }

  /// Returns the codes and names in an `ingredients` column that the handbook may know.
  static func searched(column: String) -> [String] {
    knownCodes(column: column) + names(column: column)
  }

  private static let known: Set<String> = [
    "http://www.whocc.no/atc", "urn:oid:2.16.840.1.113883.6.73",
    "http://www.nlm.nih.gov/research/umls/rxnorm",
  ]
}
