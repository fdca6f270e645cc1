// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Queries about studies; the caller has decided that access is allowed.
package enum StudyQueries {
  /// Returns the studies, those that are open first, by id.
  package static func all(in reader: any SQLReader) throws(StorageError) -> [StudyRow] {
    try reader.query(allStatement, []).decode()
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(StudyRow.columns) FROM studies
    ORDER BY CASE WHEN closed IS NULL THEN 0 ELSE 1 END, study
    """)

  /// Returns a study; nil if there is none of that id.
  package static func study(
    _ id: StudyID, in reader: any SQLReader
  ) throws(StorageError) -> StudyRow? {
    try reader.first(studyStatement, [.text(id)])?.decode()
  }

  private static let studyStatement = SQLStatement(
    "SELECT \(StudyRow.columns) FROM studies WHERE study = $1")

  /// Returns a version of a study's file.
  ///
  /// - Throws: ``StudyError/notFound`` if there is none.
  package static func definition(
    of id: StudyID, version: Int, in reader: any SQLReader
  ) throws -> StudyDefinition {
    let text = try reader.first(
      "SELECT definition FROM study_versions WHERE study = $1 AND version = $2",
      [.text(id), SQLValue(version)])?.value(as: String.self)
    guard let text else { throw StudyError.notFound }
    return try StudyFile(Array(text.utf8)).definition
  }

  /// Returns every version of a study's file, by its number.
  static func versions(
    of id: StudyID, in reader: any SQLReader
  ) throws -> [Int: StudyDefinition] {
    let texts = try reader.query(
      "SELECT definition FROM study_versions WHERE study = $1 ORDER BY version", [.text(id)]
    ).values(as: String.self)
    var versions: [Int: StudyDefinition] = [:]
    for text in texts {
      let definition = try StudyFile(Array(text.utf8)).definition
      versions[definition.version] = definition
    }
    return versions
  }

  /// Returns the participation of a person in a study; nil for none.
  package static func participant(
    _ patient: PatientID, in study: StudyID, reader: any SQLReader
  ) throws(StorageError) -> StudyParticipant? {
    try reader.first(participantStatement, [.text(patient), .text(study)])?.decode()
  }

  private static let participantStatement = SQLStatement(
    """
    SELECT \(StudyParticipant.columns) FROM study_participants
    WHERE patient = $1 AND study = $2
    """)

  /// Returns the participations of a person, also those that ended.
  package static func participations(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [StudyParticipant] {
    try reader.query(participationsStatement, [.text(patient)]).decode()
  }

  private static let participationsStatement = SQLStatement(
    """
    SELECT \(StudyParticipant.columns) FROM study_participants
    WHERE patient = $1 ORDER BY joined, study
    """)

  /// Returns the participants of a study after a pseudonym, in the order of pseudonyms, which says nothing about when
  /// they joined.
  static func page(
    of study: StudyID, after pseudonym: StudyPseudonym, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [StudyParticipant] {
    try reader.query(
      pageStatement, [.text(study), .text(pseudonym), SQLValue(limit)]
    ).decode()
  }

  private static let pageStatement = SQLStatement(
    """
    SELECT \(StudyParticipant.columns) FROM study_participants
    WHERE study = $1 AND pseudonym > $2 ORDER BY pseudonym LIMIT $3
    """)

  /// Returns the participants of a study after a pseudonym and up to another one.
  static func range(
    of study: StudyID, after pseudonym: StudyPseudonym, through end: StudyPseudonym,
    in reader: any SQLReader
  ) throws(StorageError) -> [StudyParticipant] {
    try reader.query(rangeStatement, [.text(study), .text(pseudonym), .text(end)]).decode()
  }

  private static let rangeStatement = SQLStatement(
    """
    SELECT \(StudyParticipant.columns) FROM study_participants
    WHERE study = $1 AND pseudonym > $2 AND pseudonym <= $3 ORDER BY pseudonym
    """)

  /// Returns the last consent that a person signed; nil for none.
  package static func signature(
    of patient: PatientID, to study: StudyID, in reader: any SQLReader
  ) throws(StorageError) -> StudySignature? {
    try reader.first(signatureStatement, [.text(patient), .text(study)])?.decode()
  }

  private static let signatureStatement = SQLStatement(
    """
    SELECT \(StudySignature.columns) FROM study_consents
    WHERE patient = $1 AND study = $2 ORDER BY version DESC LIMIT 1
    """)

  /// Returns the exports of a study since a person joined, the newest first.
  package static func exports(
    of study: StudyID, since joined: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [StudyExportNote] {
    try reader.query(exportsStatement, [.text(study), SQLValue(joined)]).decode()
  }

  private static let exportsStatement = SQLStatement(
    """
    SELECT \(StudyExportNote.columns) FROM study_exports
    WHERE study = $1 AND made >= $2 ORDER BY made DESC, export LIMIT 100
    """)

  /// Returns the researchers of a study, by name.
  package static func researchers(
    of study: StudyID, in reader: any SQLReader
  ) throws(StorageError) -> [StudyResearcher] {
    try reader.query(researchersStatement, [.text(study)]).decode()
  }

  private static let researchersStatement = SQLStatement(
    """
    SELECT \(StudyResearcher.columns) FROM study_researchers
    WHERE study = $1 ORDER BY name, researcher
    """)

  /// Returns the researcher of a token; nil if it is unknown or was revoked.
  static func researcher(
    token digest: [UInt8], in reader: any SQLReader
  ) throws(StorageError) -> StudyResearcher? {
    try reader.first(tokenStatement, [.blob(digest)])?.decode()
  }

  private static let tokenStatement = SQLStatement(
    "SELECT \(StudyResearcher.columns) FROM study_researchers WHERE token_digest = $1")

  /// Returns the active medicines of a person.
  static func activePlans(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID] {
    try reader.query(
      "SELECT plan FROM plans WHERE patient = $1 AND status = 'active' ORDER BY plan",
      [.text(patient)]
    ).values()
  }
}
