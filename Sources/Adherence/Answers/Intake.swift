// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// Something that was taken: one MedicationAdministration with status completed.
package struct Intake: Sendable, Hashable {
  /// The id of the MedicationAdministration.
  package let administration: AdministrationID
  /// nil for a free entry.
  package let plan: PlanID?
  /// The dose that it answered; nil for an extra intake or a free entry.
  package let dose: DoseID?
  package let medicineName: String
  package let taken: Timestamp
  package let by: String
  package let amount: Amount?

  package init(
    administration: AdministrationID, plan: PlanID?, dose: DoseID? = nil, medicineName: String,
    taken: Timestamp, by: String, amount: Amount?
  ) {
    self.administration = administration
    self.plan = plan
    self.dose = dose
    self.medicineName = medicineName
    self.taken = taken
    self.by = by
    self.amount = amount
  }
}

/// Reads what counts as taken.
package enum IntakeQueries {
  /// The patient's intakes of the same medicine strictly nearer in time than the gap, before and
  /// after, in order of time.
  ///
  /// The same medicine: the same plan, or any ingredient key in common.
  /// - Parameter dose: A dose whose own answer does not count.
  package static func near(
    patient: PatientID,
    plan: PlanID? = nil,
    ingredients: Set<String>,
    around: Timestamp,
    within milliseconds: Int64,
    excluding dose: DoseID?,
    in reader: any SQLReader
  ) throws(StorageError) -> [Intake] {
    guard milliseconds > 0 else { return [] }
    let rows = try reader.query(
      """
      SELECT administration, plan, era, occurrence, medicine_name, taken, by_name,
        amount_value, amount_unit, ingredients
      FROM intakes WHERE patient = $1 AND taken > $2 AND taken < $3
      ORDER BY taken, administration
      """,
      [
        .text(patient),
        .integer(around.milliseconds.subtractingClamped(milliseconds)),
        .integer(around.milliseconds.addingClamped(milliseconds)),
      ])
    var intakes: [Intake] = []
    for row in rows {
      let intake = try intake(row)
      if let dose, intake.dose == dose { continue }
      let isSamePlan = plan != nil && intake.plan == plan
      let keys = Ingredient.contents(column: try row.text(9))
      if isSamePlan || !keys.isDisjoint(with: ingredients) { intakes.append(intake) }
    }
    return intakes
  }

  /// All intakes from `from` until before `until`, in order of time.
  package static func recent(
    patient: PatientID, from: Timestamp, until: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Intake] {
    let rows = try reader.query(
      """
      SELECT administration, plan, era, occurrence, medicine_name, taken, by_name,
        amount_value, amount_unit
      FROM intakes WHERE patient = $1 AND taken >= $2 AND taken < $3
      ORDER BY taken, administration
      """, [.text(patient), SQLValue(from), SQLValue(until)])
    var intakes: [Intake] = []
    intakes.reserveCapacity(rows.count)
    for row in rows { intakes.append(try intake(row)) }
    return intakes
  }

  /// Reads the nine columns that both queries above begin with.
  static func intake(_ row: SQLRow) throws(StorageError) -> Intake {
    let plan: PlanID? = try row.optionalID(1)
    var dose: DoseID?
    if let plan, let era = try row.optionalInteger(2), let text = try row.optionalText(3),
      let occurrence = OccurrenceID(text: text)
    {
      dose = DoseID(plan: plan, era: era, occurrence: occurrence)
    }
    return Intake(
      administration: try row.id(0), plan: plan, dose: dose, medicineName: try row.text(4),
      taken: try row.timestamp(5), by: try row.text(6),
      amount: Amount(column: try row.optionalText(7), unit: try row.optionalText(8), code: nil))
  }
}
