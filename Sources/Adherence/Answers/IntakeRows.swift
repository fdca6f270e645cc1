// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// Writes the rows of `intakes`: what counts as taken.
enum IntakeRows {
  static func insert(
    _ intake: AnswerRecorded.CountedIntake, _ administration: AdministrationID,
    at place: AnswerPlace,
    ledger: AnswerLedger
  ) throws(StorageError) {
    let context = ledger.context
    try ledger.writer.execute(
      """
      INSERT INTO intakes (patient, administration, plan, era, occurrence, medicine_name,
        ingredients, taken, recorded, by_name, amount_value, amount_unit)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      """,
      [
        .text(ledger.patient), .text(administration), SQLValue(place.plan),
        SQLValue(place.dose?.era), SQLValue(place.dose?.occurrence.text),
        .text(intake.medicine.shownName), .text(intake.medicine.ingredients),
        SQLValue(intake.taken), SQLValue(context.now), .text(context.byName),
        SQLValue(intake.amount?.value), SQLValue(intake.amount?.unit),
      ])
  }

  static func delete(
    _ administration: AdministrationID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM intakes WHERE patient = $1 AND administration = $2",
      [.text(patient), .text(administration)])
  }

  /// Gives an intake to a plan, as recorded now: doses that have come due before keep their numbers.
  static func link(
    _ administration: AdministrationID, to plan: PlanID, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE intakes SET plan = $1, recorded = $2 WHERE patient = $3 AND administration = $4
      """, [.text(plan), SQLValue(now), .text(patient), .text(administration)])
  }
}
