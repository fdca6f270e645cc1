// SPDX-License-Identifier: Apache-2.0

import Storage

extension IntakeQueries {
  /// For each plan, the intakes of the same medicine that lie less than its minimum gap before `now`,
  /// in order of time: taking a dose of it now raises the double-dose question.
  ///
  /// One query for all plans of a patient. A dose's own intake does not count against it: see
  /// ``Intake/dose``.
  package static func withinGap(
    before now: Timestamp, patient: String, in reader: any SQLReader
  ) throws(StorageError) -> [String: [Intake]] {
    let rows = try reader.query(
      """
      SELECT i.administration, i.plan, i.era, i.occurrence, i.medicine_name, i.taken, i.by_name,
        i.amount_value, i.amount_unit, i.ingredients, p.plan, p.ingredients
      FROM plans p
      JOIN intakes i ON i.patient = p.patient AND i.taken > $1 - p.minimum_gap
      WHERE p.patient = $2 AND p.minimum_gap IS NOT NULL
      ORDER BY i.taken, i.administration
      """, [SQLValue(now), .text(patient)])
    var found: [String: [Intake]] = [:]
    for row in rows {
      let intake = try intake(row)
      let plan = try row.text(10)
      if intake.plan != plan {
        let own = Ingredient.contents(column: try row.text(11))
        let taken = Ingredient.contents(column: try row.text(9))
        if own.isDisjoint(with: taken) { continue }
      }
      found[plan, default: []].append(intake)
    }
    return found
  }
}
