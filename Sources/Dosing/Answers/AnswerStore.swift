// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Writes the tables `answers` (what was reported) and `intakes` (what counts as taken).
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
package enum AnswerStore {
  static func insert(_ row: AnswerRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertAnswer, row.values)
  }

  private static let insertAnswer = SQLStatement(
    "INSERT INTO answers (\(AnswerRow.columns)) VALUES (\(AnswerRow.placeholders))")

  /// Assigns the answers of an administration without a plan to the plan made from its
  /// prescription.
  package static func link(
    _ administration: AdministrationID, to plan: PlanID, patient: PatientID,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE answers SET plan = $1
      WHERE patient = $2 AND administration = $3 AND plan IS NULL
      """, [.text(plan), .text(patient), .text(administration)])
  }

  // MARK: Intakes

  /// Counts an intake; one that already counts gets its new time and amount.
  package static func count(_ row: IntakeRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertIntake, row.values)
  }

  private static let insertIntake = SQLStatement(
    """
    INSERT INTO intakes (\(IntakeRow.columns)) VALUES (\(IntakeRow.placeholders))
    ON CONFLICT (patient, administration) DO UPDATE SET plan = excluded.plan,
      era = excluded.era, occurrence = excluded.occurrence,
      medicine_name = excluded.medicine_name, ingredients = excluded.ingredients,
      taken = excluded.taken, recorded = excluded.recorded, by_name = excluded.by_name,
      amount_value = excluded.amount_value, amount_unit = excluded.amount_unit
    """)

  /// Removes an intake, so that it no longer counts; one that was never counted changes nothing.
  package static func uncount(
    _ administration: AdministrationID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM intakes WHERE patient = $1 AND administration = $2",
      [.text(patient), .text(administration)])
  }

  /// Assigns an intake to a plan, as recorded now, so that doses already due keep their numbers.
  static func linkIntake(
    _ administration: AdministrationID, to plan: PlanID, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE intakes SET plan = $1, recorded = $2 WHERE patient = $3 AND administration = $4
      """, [.text(plan), SQLValue(now), .text(patient), .text(administration)])
  }

  /// Renews the shown name of a plan's intakes.
  static func rename(
    intakesOf plan: PlanID, patient: PatientID, from old: String, to new: String,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE intakes SET medicine_name = $1
      WHERE patient = $2 AND plan = $3 AND medicine_name = $4
      """, [.text(new), .text(patient), .text(plan), .text(old)])
  }
}
