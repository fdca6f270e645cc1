// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Storage

/// The medicine that a free text means, with the gap that its intakes keep.
struct NamedMedicine: Sendable, Hashable {
  let medicine: Medicine
  /// Milliseconds; nil where no plan states one.
  let minimumGap: Int64?

  /// Finds a plan by its id, else by the name that one active plan alone has; any other name is a
  /// medicine of its own, whose gap is the longest of the active plans that
  /// share an ingredient with it.
  ///
  /// Nil when the text is the id of no plan of this patient.
  static func find(
    _ text: String, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> NamedMedicine? {
    let rows = try reader.query(
      """
      SELECT plan, medicine_name, ingredients, minimum_gap, shown_name FROM plans
      WHERE patient = $1 AND (status = 'active' OR plan = $2) ORDER BY plan
      """, [.text(patient), .text(text)])
    var sameName: [NamedMedicine] = []
    /// The gaps of all plans that hold something of what the text names.
    var gaps: [Int64] = []
    let key = Ingredient.key(name: text)
    let contents = Ingredient.contents(column: key)
    for row in rows {
      let plan: PlanID = try row.id(0)
      let named = NamedMedicine(
        medicine: Medicine(
          plan: plan, name: try row.text(1), shownName: try row.optionalText(4),
          ingredients: try row.text(2)),
        minimumGap: try row.optionalInteger(3))
      if plan.text == text { return named }
      if let gap = named.minimumGap,
        !Ingredient.contents(column: named.medicine.ingredients).isDisjoint(with: contents)
      {
        gaps.append(gap)
      }
      if Ingredient.key(name: named.medicine.name) == key
        || Ingredient.key(name: named.medicine.shownName) == key
        || Ingredient.keys(column: named.medicine.ingredients).contains(key)
      {
        sameName.append(named)
      }
    }
    if let only = sameName.first, sameName.count == 1 { return only }
    // An id that is not among this patient's plans is a mistake, not the name of a medicine.
    if UUID(uuidString: text) != nil { return nil }
    return NamedMedicine(
      medicine: Medicine(plan: nil, name: text, ingredients: key),
      minimumGap: gaps.max())
  }
}
