// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Scheduling
import Storage
import TimeZones

/// The rows of `plan_limits`.
package enum LimitRows {
  /// Stores the limits of a request; a plan without limits has no row.
  static func note(
    _ request: MedicationRequestView, plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    let limits = PlanLimits(request)
    guard !limits.isEmpty else {
      try writer.execute(
        "DELETE FROM plan_limits WHERE patient = $1 AND plan = $2", [.text(patient), .text(plan)])
      return
    }
    let row = PlanLimitsRow(patient: patient, plan: plan, limits: limits)
    try writer.execute(noteStatement, row.values)
  }

  private static let noteStatement = SQLStatement(
    """
    INSERT INTO plan_limits (\(PlanLimitsRow.columns)) VALUES (\(PlanLimitsRow.placeholders))
    ON CONFLICT (patient, plan) DO UPDATE SET limits = excluded.limits
    """)

  /// Returns the limits of a patient's plans and ingredients, with the content of a dose.
  ///
  /// Limits of an ingredient look like those of a plan whose id begins with `ingredient:`.
  package static func stated(patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [(medicine: Medicine, limits: PlanLimits, isActive: Bool)]
  {
    var found: [(medicine: Medicine, limits: PlanLimits, isActive: Bool)] = []
    for row in try reader.query(statedStatement, [.text(patient)]) {
      let row = row.read(StatedLimitsRow.self)
      guard let limits = PlanLimits(text: try row.text(.limits)) else { continue }
      let medicine = Medicine(
        plan: try row.id(.plan), name: try row.text(.medicineName),
        shownName: try row.optionalText(.shownName), ingredients: try row.text(.ingredients))
      found.append((medicine, limits, try row.text(.status) == "active"))
    }
    return found + (try IngredientLimits.stated(patient: patient, in: reader))
  }

  private static let statedStatement = SQLStatement(
    """
    SELECT \(StatedLimitsRow.columns) FROM plan_limits l
    JOIN plans p ON p.patient = l.patient AND p.plan = l.plan
    WHERE l.patient = $1 ORDER BY l.plan
    """)

  /// Returns a check of a plan's limits against the intakes around a moment.
  ///
  /// - Parameters:
  ///   - dose: a dose whose own answer is not counted.
  ///   - sources: the limits by plan, if they are already known; nil or empty to read them.
  package static func check(
    _ limits: PlanLimits, of medicine: Medicine, patient: PatientID, around at: Timestamp,
    excluding dose: DoseID?, zone: Zone, sources: [PlanID: PlanLimits]? = nil,
    in reader: any SQLReader
  ) throws(StorageError) -> LimitCheck {
    var sources = sources ?? [:]
    if sources.isEmpty { sources = Self.sources(try stated(patient: patient, in: reader)) }
    return LimitCheck(
      plan: medicine.plan ?? PlanID(""), medicineName: medicine.shownName, limits: limits,
      intakes: try IntakeQueries.near(
        patient: patient, plan: medicine.plan,
        ingredients: Ingredient.contents(column: medicine.ingredients), around: at,
        within: limits.reach, excluding: dose, in: reader),
      zone: zone, sources: sources)
  }

  /// Returns limits by plan.
  package static func sources(
    _ stated: [(medicine: Medicine, limits: PlanLimits, isActive: Bool)]
  ) -> [PlanID: PlanLimits] {
    var found: [PlanID: PlanLimits] = [:]
    for (medicine, limits, _) in stated { if let plan = medicine.plan { found[plan] = limits } }
    return found
  }
}

/// The limits of a plan with its medicine.
enum StatedLimitsRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, medicineName, ingredients, limits, status, shownName
  }

  static let columns = SQLColumns<Column>(of: "p", [.plan: "l.plan", .limits: "l.limits"])
}

/// A row of `plan_limits`.
struct PlanLimitsRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, limits
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID
  let limits: PlanLimits

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(plan)
    case .limits: .text(limits.text)
    }
  }
}
