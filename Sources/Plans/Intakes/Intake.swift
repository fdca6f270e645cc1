// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// A medicine taken at some time: one MedicationAdministration with status completed.
package struct Intake: Sendable, Hashable {
  /// The id of the MedicationAdministration.
  package let administration: AdministrationID
  /// The plan that it counts for; nil for a free entry.
  package let plan: PlanID?
  /// The dose that it answered; nil for an extra intake or a free entry.
  package let dose: DoseID?
  /// The medicine's name when the intake was recorded.
  package let medicineName: String
  /// The time at which it was taken.
  package let taken: Timestamp
  /// The name of the person who recorded it.
  package let by: String
  /// The amount taken; nil if none was stated.
  package let amount: Amount?

  /// Creates an intake.
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

/// Queries for recorded intakes.
package enum IntakeQueries {
  /// Returns the patient's intakes of the same medicine strictly nearer in time than the gap, before and
  /// after, in order of time.
  ///
  /// An intake is of the same medicine if it has the same plan or any ingredient key in common.
  ///
  /// - Parameters:
  ///   - ingredients: the keys from ``Ingredient/contents(column:)``.
  ///   - dose: a dose whose own answer is not counted.
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
      nearStatement,
      [
        .text(patient),
        .integer(around.milliseconds.subtractingClamped(milliseconds)),
        .integer(around.milliseconds.addingClamped(milliseconds)),
      ])
    var intakes: [Intake] = []
    for row in rows {
      let row = row.read(TakenRow.self)
      let intake = try Intake(row)
      if let dose, intake.dose == dose { continue }
      let isSamePlan = plan != nil && intake.plan == plan
      let keys = Ingredient.contents(column: try row.text(.ingredients))
      if isSamePlan || !keys.isDisjoint(with: ingredients) { intakes.append(intake) }
    }
    return intakes
  }

  private static let nearStatement = SQLStatement(
    """
    SELECT \(TakenRow.columns) FROM intakes i
    WHERE i.patient = $1 AND i.taken > $2 AND i.taken < $3
    ORDER BY i.taken, i.administration
    """)

  /// Returns all intakes from `from` until before `until`, in order of time.
  package static func recent(
    patient: PatientID, from: Timestamp, until: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Intake] {
    let rows = try reader.query(
      recentStatement, [.text(patient), SQLValue(from), SQLValue(until)])
    var intakes: [Intake] = []
    intakes.reserveCapacity(rows.count)
    for row in rows { intakes.append(try Intake(row.read(TakenRow.self))) }
    return intakes
  }

  private static let recentStatement = SQLStatement(
    """
    SELECT \(TakenRow.columns) FROM intakes i
    WHERE i.patient = $1 AND i.taken >= $2 AND i.taken < $3
    ORDER BY i.taken, i.administration
    """)
}

/// The columns of an ``Intake``, with the ingredient keys of its medicine.
package enum TakenRow: SQLRowType {
  /// The columns of `intakes` that an ``Intake`` is made of.
  package enum Column: Int, SQLColumn {
    case administration, plan, era, occurrence, medicineName, taken, byName
    case amountValue, amountUnit, ingredients
  }

  /// The columns under the alias `i`.
  package static let columns = SQLColumns<Column>(of: "i")
}

extension Intake {
  /// Creates an intake from its row; one whose occurrence cannot be read has no dose.
  package init(_ row: ColumnReader<TakenRow.Column>) throws(StorageError) {
    let plan: PlanID? = try row.optionalID(.plan)
    var dose: DoseID?
    if let plan, let era = try row.optionalInteger(.era),
      let text = try row.optionalText(.occurrence), let occurrence = OccurrenceID(text: text)
    {
      dose = DoseID(plan: plan, era: era, occurrence: occurrence)
    }
    self.init(
      administration: try row.id(.administration), plan: plan, dose: dose,
      medicineName: try row.text(.medicineName), taken: try row.timestamp(.taken),
      by: try row.text(.byName),
      amount: Amount(
        column: try row.optionalText(.amountValue), unit: try row.optionalText(.amountUnit),
        code: nil))
  }
}
