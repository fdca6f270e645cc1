// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The statements that change the tables of studies.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
enum StudyStore {
  static func insert(_ row: StudyRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStudy, row.values)
  }

  private static let insertStudy = SQLStatement(
    "INSERT INTO studies (\(StudyRow.columns)) VALUES (\(StudyRow.placeholders))")

  /// Adds a version of a study's file.
  static func insert(
    version: Int, text: String, of study: StudyID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "INSERT INTO study_versions (study, version, definition, loaded) VALUES ($1, $2, $3, $4)",
      [.text(study), SQLValue(version), .text(text), SQLValue(now)])
  }

  /// Makes a version the newest.
  static func set(
    version: Int, of study: StudyID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE studies SET version = $1 WHERE study = $2", [SQLValue(version), .text(study)])
  }

  /// Uses one more place of the order.
  static func allocate(_ study: StudyID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "UPDATE studies SET allocated = allocated + 1 WHERE study = $1", [.text(study)])
  }

  /// Closes a study; returns false if it is closed already or does not exist.
  static func close(
    _ study: StudyID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "UPDATE studies SET closed = $1 WHERE study = $2 AND closed IS NULL",
      [SQLValue(now), .text(study)]) > 0
  }

  // MARK: Participants

  static func insert(_ row: StudyParticipant, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertParticipant, row.values)
  }

  private static let insertParticipant = SQLStatement(
    """
    INSERT INTO study_participants (\(StudyParticipant.columns))
    VALUES (\(StudyParticipant.placeholders))
    """)

  static func insert(_ row: StudySignature, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertSignature, row.values)
  }

  private static let insertSignature = SQLStatement(
    """
    INSERT INTO study_consents (\(StudySignature.columns))
    VALUES (\(StudySignature.placeholders))
    """)

  /// Ends the participation of a person.
  static func withdraw(
    _ patient: PatientID, from study: StudyID, erasing: Bool, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE study_participants SET withdrawn = COALESCE(withdrawn, $1),
        is_erased = CASE WHEN $2 = 1 THEN 1 ELSE is_erased END
      WHERE patient = $3 AND study = $4
      """, [SQLValue(now), SQLValue(erasing), .text(patient), .text(study)])
  }

  /// Notes which settings of the arm are still in force.
  static func set(
    changes: String, of patient: PatientID, in study: StudyID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE study_participants SET changes = $1 WHERE patient = $2 AND study = $3",
      [.text(changes), .text(patient), .text(study)])
  }

  // MARK: Exports and researchers

  static func insert(_ row: StudyExportNote, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertExport, row.values)
  }

  private static let insertExport = SQLStatement(
    """
    INSERT INTO study_exports (\(StudyExportNote.columns))
    VALUES (\(StudyExportNote.placeholders))
    """)

  static func insert(_ row: StudyResearcher, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertResearcher, row.values)
  }

  private static let insertResearcher = SQLStatement(
    """
    INSERT INTO study_researchers (\(StudyResearcher.columns))
    VALUES (\(StudyResearcher.placeholders))
    """)

  /// Ends the token of a researcher; returns false if there is none.
  static func revoke(
    _ researcher: String, of study: StudyID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE study_researchers SET token_digest = NULL, revoked = $1
      WHERE study = $2 AND researcher = $3 AND revoked IS NULL
      """, [SQLValue(now), .text(study), .text(researcher)]) > 0
  }
}
