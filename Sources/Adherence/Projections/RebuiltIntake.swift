// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Storage

/// An intake made anew from the answer that it follows from, and from the record beside it.
enum RebuiltIntake {
  /// False where the facts do not say enough.
  static func insert(
    administration: AdministrationID, patient: PatientID, in writer: any SQLWriter
  ) throws -> Bool {
    // Of several answers with this record, the one in force is the last.
    let row = try writer.first(
      """
      SELECT a.plan, a.era, a.occurrence, a.at, a.recorded, a.by_name, a.amount_value,
        a.amount_unit, COALESCE(p.shown_name, p.medicine_name), p.ingredients, r.body
      FROM answers a
      LEFT JOIN plans p ON p.patient = a.patient AND p.plan = a.plan
      LEFT JOIN resources r ON r.type = 'MedicationAdministration' AND r.patient = a.patient
        AND r.id = a.administration
      WHERE a.patient = $1 AND a.administration = $2 AND a.action <> 'undo'
      ORDER BY a.recorded DESC, a.dose_version DESC LIMIT 1
      """, [.text(patient), .text(administration)])
    guard let row else { return false }
    var taken = try row.timestamp(3)
    var name = try row.optionalText(8)
    var ingredients = try row.optionalText(9)
    if let body = try row.optionalText(10), let json = try? JSONValue(parsing: Array(body.utf8)) {
      let view = MedicationAdministrationView(json)
      name = name ?? view.medicationName ?? view.medicationCodes.first?.code
      ingredients =
        ingredients ?? Ingredient.column(Ingredient.keys(of: MedicationRequestView(json)))
      // Without a dose the record says when: its source may have corrected it.
      if try row.optionalText(2) == nil, let at = view.effective?.epochMilliseconds {
        taken = Timestamp(milliseconds: at)
      }
    }
    guard let name, let ingredients else { return false }
    try AnswerStore.count(
      IntakeRow(
        patient: patient, administration: administration, plan: try row.optionalID(0),
        era: try row.optionalInteger(1), occurrence: try row.optionalText(2), medicineName: name,
        ingredients: ingredients, taken: taken, recorded: try row.timestamp(4),
        byName: try row.text(5), amountValue: try row.optionalText(6),
        amountUnit: try row.optionalText(7)), in: writer)
    return true
  }
}
