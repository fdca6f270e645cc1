// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Identifiers
import Plans
import Storage

/// An intake rebuilt from its answer and record.
enum RebuiltIntake {
  /// Inserts the intake; returns false if the facts are not sufficient.
  static func insert(
    administration: AdministrationID, patient: PatientID, in writer: any SQLWriter
  ) throws -> Bool {
    // Of several answers with this record, the one in force is the last.
    let row = try writer.first(statement, [.text(patient), .text(administration)])?
      .read(AnsweredIntakeRow.self)
    guard let row else { return false }
    var taken = try row.timestamp(.at)
    var name = try row.optionalText(.medicineName)
    var ingredients = try row.optionalText(.ingredients)
    if let body = try row.optionalText(.body), let json = try? JSONValue(parsing: Array(body.utf8))
    {
      let view = MedicationAdministrationView(json)
      name = name ?? view.medicationName ?? view.medicationCodes.first?.code
      ingredients =
        ingredients ?? Ingredient.column(Ingredient.keys(of: MedicationRequestView(json)))
      // Without a dose the record states the time, because its source may have corrected it.
      if row[.occurrence] == .null, let at = view.effective?.epochMilliseconds {
        taken = Timestamp(milliseconds: at)
      }
    }
    guard let name, let ingredients else { return false }
    try AnswerStore.count(
      IntakeRow(
        patient: patient, administration: administration, plan: try row.optionalID(.plan),
        era: try row.optionalInteger(.era), occurrence: try row.optionalText(.occurrence),
        medicineName: name, ingredients: ingredients, taken: taken,
        recorded: try row.timestamp(.recorded), byName: try row.text(.byName),
        amountValue: try row.optionalText(.amountValue),
        amountUnit: try row.optionalText(.amountUnit)), in: writer)
    return true
  }

  private static let statement = SQLStatement(
    """
    SELECT \(AnsweredIntakeRow.columns) FROM answers a
    LEFT JOIN plans p ON p.patient = a.patient AND p.plan = a.plan
    LEFT JOIN resources r ON r.type = 'MedicationAdministration' AND r.patient = a.patient
      AND r.id = a.administration
    WHERE a.patient = $1 AND a.administration = $2 AND a.action <> 'undo'
    ORDER BY a.recorded DESC, a.dose_version DESC LIMIT 1
    """)
}

/// An answer `a` that counts as an intake, with its plan `p` and its record `r`.
enum AnsweredIntakeRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, era, occurrence, at, recorded, byName, amountValue, amountUnit
    case medicineName, ingredients, body
  }

  static let columns = SQLColumns<Column>(
    of: "a",
    [
      .medicineName: "COALESCE(p.shown_name, p.medicine_name)",
      .ingredients: "p.ingredients", .body: "r.body",
    ])
}
